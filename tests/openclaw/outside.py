"""What stands outside: the network that the posts go to, and a model that does what the test tells it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.openclaw.gateway import PATIENCE

Turn = Callable[[list[dict[str, Any]]], dict[str, Any]]
"""From the messages of a request to the message of the answer, in the OpenAI shape."""


class Outside:
    """A server on loopback. It notes each post when it arrives, and each request to the model."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, float]] = []
        self.requests: list[dict[str, Any]] = []
        self.model: Turn = lambda _: {"content": "Done."}
        self.slow = threading.Event()
        """Set, and no post gets its answer before it is cleared or the server ends."""
        self._news = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def posted(self) -> list[str]:
        return [name for name, _ in self.posts]

    def wait_for_posts(self, number: int) -> None:
        with self._news:
            assert self._news.wait_for(lambda: len(self.posts) >= number, PATIENCE), self.posts

    def times(self) -> list[tuple[str, float]]:
        """Each post with the seconds since the first."""
        return [(name, round(moment - self.posts[0][1], 1)) for name, moment in self.posts]

    def let_go(self) -> None:
        with self._news:
            self.slow.clear()
            self._news.notify_all()

    def close(self) -> None:
        self.let_go()
        self._server.shutdown()
        self._server.server_close()

    def _post(self, name: str) -> bytes:
        with self._news:
            self.posts.append((name, time.monotonic()))
            self._news.notify_all()
            self._news.wait_for(lambda: not self.slow.is_set())
        return b"posted\n"

    def _complete(self, request: dict[str, Any]) -> bytes:
        self.requests.append(request)
        message = {"role": "assistant", "content": None, **self.model(request["messages"])}
        ends = "tool_calls" if "tool_calls" in message else "stop"
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        chunks = [
            {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": ends}], "usage": usage},
        ]
        return b"".join(b"data: %s\n\n" % json.dumps(one).encode() for one in chunks) + b"data: [DONE]\n\n"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outside = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """The tests' output is not its log."""

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                model = self.path == "/v1/chat/completions"
                answer = outside._complete(json.loads(body)) if model else outside._post(self.path.rsplit("/", 1)[1])
                try:
                    self.send_response(200)
                    self.send_header("content-type", "text/event-stream" if model else "text/plain")
                    self.send_header("content-length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)
                except OSError:
                    pass  # whoever asked is gone

        return Handler


@contextmanager
def outside() -> Iterator[Outside]:
    made = Outside()
    try:
        yield made
    finally:
        made.close()
