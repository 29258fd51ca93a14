"""Our tokenizer beside the answers of the one that the vocabulary was made for, in many scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dory_tui.search.embedding import FOLDER
from dory_tui.search.wordpiece import WordPiece

# What `tokenizers` 0.23 answers with the vocabulary's own tokenizer.json, special tokens left out.
REFERENCE = json.loads((Path(__file__).parent / "wordpiece.json").read_text())


@pytest.fixture(scope="module")
def pieces() -> WordPiece:
    return WordPiece((FOLDER / "vocabulary.txt").read_text("utf-8").split("\n"))


def test_every_text_is_cut_as_the_reference_cuts_it(pieces: WordPiece) -> None:
    assert len(REFERENCE) > 100
    assert [text for text, ids in REFERENCE if pieces.ids(text) != ids] == []


def test_a_second_look_is_the_first_one(pieces: WordPiece) -> None:
    text = " ".join(text for text, _ in REFERENCE)
    assert pieces.ids(text) == WordPiece((FOLDER / "vocabulary.txt").read_text("utf-8").split("\n")).ids(text)


def test_the_names_of_special_pieces_are_words_like_others(pieces: WordPiece) -> None:
    assert pieces.unknown not in pieces.ids("[UNK]"), "a log that says so is not a log of which nothing is known"
