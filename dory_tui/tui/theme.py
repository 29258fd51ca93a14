"""The colours. Amber for what wants a decision and for the focus, rose for held, stale and unknown; the rest is quiet.

Words carry every state as well, so that the screen reads the same without colours (NO_COLOR) and in the terminal's
own (Textual's `ansi-dark` and `ansi-light`).
"""

from __future__ import annotations

from textual.app import App
from textual.theme import Theme

DEFAULT = "dory-dark"


def _theme(
    name: str, *, dark: bool, background: str, surface: str, panel: str, text: str, muted: str, dim: str,
    amber: str, rose: str, green: str, blue: str, rose_back: str, green_back: str, amber_back: str,
) -> Theme:  # fmt: skip
    variables = {
        "text-muted": muted,
        "text-disabled": dim,
        "border": amber,
        "border-blurred": panel,
        "block-cursor-background": panel,
        "block-cursor-foreground": text,
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": panel,
        "block-cursor-blurred-foreground": text,
        "block-hover-background": surface,
        "footer-background": surface,
        "footer-foreground": muted,
        "footer-key-foreground": amber,
        "footer-key-background": surface,
        "footer-description-foreground": muted,
        "footer-description-background": surface,
        "footer-item-background": surface,
        "scrollbar": panel,
        "scrollbar-background": background,
        "scrollbar-corner-color": background,
        "error-muted": rose_back,
        "success-muted": green_back,
        "warning-muted": amber_back,
        "input-selection-background": amber_back,
    }
    return Theme(
        name, primary=amber, secondary=blue, warning=amber, error=rose, success=green, accent=amber, foreground=text,
        background=background, surface=surface, panel=panel, dark=dark, variables=variables,
    )  # fmt: skip


THEMES = (
    _theme(
        "dory-dark", dark=True, background="#0f1318", surface="#161c23", panel="#2a343f", text="#d6dbe1",
        muted="#7d8692", dim="#66707c", amber="#ffb454", rose="#e0607a", green="#9fbf6b", blue="#7fb4ca",
        rose_back="#46222d", green_back="#2b3a20", amber_back="#4a3a22",
    ),
    _theme(
        "dory-light", dark=False, background="#faf8f4", surface="#f0ece4", panel="#ddd5c8", text="#24292e",
        muted="#666c75", dim="#7b818a", amber="#9a5700", rose="#b02a4c", green="#3d6e17", blue="#1c6a8c",
        rose_back="#f3d5da", green_back="#dbe8cd", amber_back="#f3dfc0",
    ),
    _theme(
        "high-contrast", dark=True, background="#000000", surface="#141414", panel="#4d4d4d", text="#ffffff",
        muted="#d0d0d0", dim="#b0b0b0", amber="#ffd000", rose="#ff8fa3", green="#b6f06a", blue="#8fd7ff",
        rose_back="#6b1526", green_back="#2c4a0c", amber_back="#5c4a00",
    ),
)  # fmt: skip


def install(app: App[int], wanted: str | None) -> None:
    """Add the themes to an app and choose one: the wanted one if it exists, else `dory-dark`."""
    for theme in THEMES:
        app.register_theme(theme)
    app.theme = wanted if wanted in app.available_themes else DEFAULT
