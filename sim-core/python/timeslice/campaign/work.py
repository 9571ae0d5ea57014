"""What a worker does: it expands a range of points itself, runs them, and writes their rows. No scenario travels."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .._core import VERSION
from ..studies import Space
from .parts import lanes_name, part_name, write
from .read import to_arrow


@dataclass(frozen=True)
class Task:
    """Where a campaign is, and what its space is."""

    folder: str
    """The folder, which the worker sees under the same path."""
    id: str
    """Id of the space in the folder."""
    space: str
    """The space as JSON."""
    version: str
    """Version of the core."""


@dataclass(frozen=True)
class Batch:
    """What is run together: a range of points, or single lanes."""

    first: int = 0
    """First point."""
    last: int = 0
    """The point after the last one."""
    lanes: tuple[tuple[int, int], ...] = ()
    """Numbers of points and lanes; if there are any, they are meant and not the range."""

    def __len__(self) -> int:
        return len(self.lanes) or self.last - self.first

    def cut(self, pieces: int) -> list[Batch]:
        """The same in several pieces of about equal size."""
        size = -(-len(self) // pieces)
        if self.lanes:
            starts = range(0, len(self.lanes), size)
            return [Batch(lanes=self.lanes[at : at + size]) for at in starts]
        starts = range(self.first, self.last, size)
        return [Batch(at, min(at + size, self.last)) for at in starts]


@dataclass(frozen=True)
class Done:
    """What a batch gave."""

    rows: int
    bad: int
    """Rows whose status is not ``ok``."""
    seconds: float
    """From begin to end."""
    cpu_seconds: float
    """Of the worker's processor."""


@lru_cache(maxsize=4)
def _space(text: str) -> Space:
    return Space.from_dict(json.loads(text))


def carry_out(task: Task, batch: Batch) -> Done:
    """Runs a batch and writes its rows."""
    if task.version != VERSION:
        raise RuntimeError(f"the worker has timeslice {VERSION}, the campaign {task.version}")
    begin, cpu = time.perf_counter(), time.process_time()
    space = _space(task.space)
    # A worker has one thread; a machine has as many workers as cores.
    if batch.lanes:
        rows = to_arrow(space.run_lanes(batch.lanes, jobs=1))
        name = lanes_name(rows)
    else:
        rows = to_arrow(space.rows(batch.first, batch.last, jobs=1))
        name = part_name(batch.first, batch.last)
    write(Path(task.folder), task.id, name, rows)
    bad = rows.num_rows - rows["status"].to_pylist().count("ok")
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    return Done(rows.num_rows, bad, seconds, cpu)
