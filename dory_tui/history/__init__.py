"""History: each human decision becomes one git commit of exactly the files it touched."""

from dory_tui.history.commits import AS_FOUND, Commit, Touched
from dory_tui.history.git import Readiness
from dory_tui.history.repository import LogEntry, Outcome, Repository

__all__ = ["AS_FOUND", "Commit", "LogEntry", "Outcome", "Readiness", "Repository", "Touched"]
