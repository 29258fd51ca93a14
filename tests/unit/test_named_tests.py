"""The tables in tests/README.md name tests that are there: a promise whose test was renamed away is no promise."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_every_test_that_the_table_names_is_there() -> None:
    lines = (TESTS / "README.md").read_text().splitlines()
    rows = [
        line
        for line in lines
        if line.startswith("| ") and not line.startswith(("| what is promised", "| the promise "))
    ]
    assert len(rows) > 65
    missing = []
    for row in rows:
        promise, where = row.strip("| ").split(" | ")
        named = re.findall(r"([a-z]+/test_\w+\.py)::(test_\w+)", where)
        assert named, f"no test for: {promise}"
        for file, name in named:
            text = (TESTS / file).read_text() if (TESTS / file).exists() else ""
            if not re.search(rf"\bdef {name}\(", text):
                missing.append(f"{file}::{name}")
    assert missing == []
