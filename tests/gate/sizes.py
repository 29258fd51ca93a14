"""How large the long rounds are: `DORY_RACE_IDS` of the environment; 1000 is the full round."""

from __future__ import annotations

import os

IDS = int(os.environ.get("DORY_RACE_IDS", "30"))
RACERS = 50
BATCH = 50
"""Ids that are made, raced for and thrown away together: descriptors and memory are finite."""


def batches(total: int) -> list[int]:
    """The sizes of the batches that make up a total."""
    return [min(BATCH, total - start) for start in range(0, total, BATCH)]
