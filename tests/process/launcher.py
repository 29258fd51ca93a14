"""A command of this clone as one file with an absolute path, which starts from whatever folder one stands in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

CLONE = Path(__file__).parents[2]


def launcher(
    file: Path, module: str = "dory_tui.cli.dory_agent", python: str = sys.executable, paths: Sequence[Path] = (CLONE,)
) -> Path:
    """Write an executable that starts a command of this clone."""
    lines = [f"#!{python}", "import sys", *(f"sys.path.insert(0, {str(path)!r})" for path in paths)]
    lines += [f"from {module} import main", "sys.exit(main())", ""]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines))
    file.chmod(0o755)
    return file
