"""Names and paths that hold control characters never reach a page as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dory_tui.review.desk import load
from dory_tui.review.inspect import inspect
from dory_tui.tui.widgets.draft_page import draft_page
from dory_tui.tui.widgets.pages import no_workspace

if TYPE_CHECKING:
    from tests.conftest import Workspace

pytestmark = pytest.mark.gate
CONTROLS = "\x1b[31m\u202e"
ESCAPED = "⟦U+001B ESCAPE⟧[31m⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧"


def test_a_folder_that_contradicts_its_file_is_named_visibly(workspace: Workspace) -> None:
    folder = f"Rejected {CONTROLS}"
    workspace.write(
        "state/STAGING.md", f"# Staging\n\n## Awaiting\n\n### A\n\n**Location:** {folder}/x.md\n\n**Status:** pending\n"
    )
    workspace.write(f"{folder}/x.md", "---\nstatus: pending\n---\nHello.\n")
    desk = load(workspace.gate())
    (item,) = desk.staged
    looked = inspect(workspace.root, item.draft, desk.now, gate=desk.gate)
    facts = [fact.text for fact in draft_page(item, looked, desk, "").facts]
    assert f"its folder is named Rejected {ESCAPED}, and nothing in it says that it is past" in facts
    assert not set("".join(facts)) & set(CONTROLS[0] + CONTROLS[-1])


def test_the_sentence_for_a_workspace_that_cannot_be_opened_is_visible() -> None:
    (fact,) = no_workspace(f"/home/{CONTROLS}/w is not a folder").facts
    assert fact.text == f"/home/{ESCAPED}/w is not a folder"
