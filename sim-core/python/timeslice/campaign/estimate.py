"""What a campaign will take, from some of its points."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..inputs import whole
from ..studies import Space

OVERHEAD = 0.05
"""What an engine takes beside the runs, as a share; measured, see ``docs/python.md``."""
BYTES_PER_ROW = 44
"""Of a row with a few measures in a large file."""


@dataclass(frozen=True)
class Estimate:
    """What a campaign will take."""

    points: int
    """Points of the space."""
    rows: int
    """Rows, about."""
    cpu_seconds: float
    """Of one core like this machine's."""
    seconds: float
    """From begin to end, on so many workers."""
    bytes: int
    """On disk, once it is compact."""


def estimate(space: Space, workers: int = 1, sample: int = 32) -> Estimate:
    """Runs some points that lie evenly in the space, on this thread, and reckons from them.

    Runs differ: where one axis makes them long, take a larger sample.
    """
    count = min(whole("sample", sample, 1, 1_000_000), len(space))
    whole("workers", workers, 1, 1_000_000)
    begin, rows = time.process_time(), 0
    for i in range(count):
        point = i * len(space) // count
        rows += len(space.rows(point, point + 1, jobs=1))
    each = (time.process_time() - begin) / count
    all_rows = rows * len(space) // count
    cpu = each * len(space)
    seconds = cpu * (1 + OVERHEAD) / workers
    return Estimate(len(space), all_rows, cpu, seconds, all_rows * BYTES_PER_ROW)
