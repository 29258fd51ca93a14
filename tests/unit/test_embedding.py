"""The model that ships: what is alike lies near, and what is missing is a sentence."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from dory_tui.search.embedding import DIMENSIONS, FOLDER, ModelError, alike, load


def test_the_files_are_those_whose_origin_is_written_down() -> None:
    said = dict(re.findall(r"([0-9a-f]{64})  (\S+)", (FOLDER / "PROVENANCE.md").read_text()))
    wanted = {name: digest for digest, name in said.items()}
    for name in ("rows.npy", "scales.npy", "vocabulary.txt"):
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == wanted[name]
    assert "Apache License" in (FOLDER / "LICENSE-APACHE-2.0.txt").read_text()


def test_vectors_have_length_one_and_what_is_unknown_none() -> None:
    made = load().embed(["Sam reported a bug", "", "\u1804\u1805" * 3, "bug " * 5000])
    assert made.shape == (4, DIMENSIONS)
    assert np.linalg.norm(made, axis=1) == pytest.approx([1, 0, 0, 1], abs=1e-6)
    assert np.array_equal(made[0], load().embed(["Sam reported a bug"])[0]), "alone as among others"


def test_what_says_much_the_same_is_alike() -> None:
    texts = ["the customer wants to be contacted by email"]
    known = ["client prefers mail", "nightly backups of the database", ""]
    ((like, unlike, nothing),) = alike(texts, known)
    assert like > 0.4 > unlike + 0.1
    assert nothing == 0.0


def test_a_numpy_that_is_too_old_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(np, "vecdot")
    load.cache_clear()
    with pytest.raises(ModelError, match=r"^numpy [0-9.]+ is older than 2, so search is by keyword"):
        load()


@pytest.mark.parametrize("name", ["rows.npy", "scales.npy", "vocabulary.txt"])
def test_a_file_that_is_missing_or_was_cut_is_a_sentence(name: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "model")
    file = tmp_path / "model" / name
    file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(ModelError, match="by keyword"):
        load(tmp_path / "model")
    file.unlink()
    with pytest.raises(ModelError, match="by keyword"):
        load(tmp_path / "model")
