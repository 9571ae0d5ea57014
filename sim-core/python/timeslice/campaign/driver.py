"""Carrying a campaign out: what is missing, in batches, whatever workers do."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import distributed

from .._core import VERSION
from ..inputs import between
from ..studies import Space
from . import lanes as by_lanes
from .engine import DaskEngine, Engine, WorkerLost
from .lock import held
from .parts import lanes_name, part_name
from .read import to_arrow
from .store import Entry, Store
from .work import Batch, Done, Task, carry_out

TRIAL = 32
"""Points of the first batches, from which their size is worked out."""
MOST = 20_000
"""Most points of a batch."""
PIECES = 16
"""Into so many a batch is cut whose worker ended."""
SHORTEST = 0.05
"""Seconds that a batch takes at least, as far as that is known: it costs some milliseconds beside its runs."""
EACH = 0.004
"""Seconds in which the scheduler and this process surely deal with one batch."""
TRIES = 2
"""So often a run is tried alone before it is a row ``killed``."""


@dataclass(frozen=True)
class Progress:
    """How far a campaign is."""

    done: int
    """Runs of this campaign that are there, those of earlier sessions included; points, where nothing is shared."""
    total: int
    """Of so many."""
    bad: int
    """Rows of this session whose status is not ``ok``."""
    seconds: float
    """Since this session began."""
    seconds_left: float | None
    """Until the end, as it goes now."""


@dataclass(frozen=True)
class Summary:
    """What a session of a campaign did."""

    points: int
    """Points of the space."""
    rows: int
    """Rows that are there now."""
    ran: int
    """Runs that this session carried out."""
    reused: int
    """Rows that are copies: another one was the same run."""
    statuses: dict[str, int]
    """How many rows have which status."""
    seconds: float
    """From begin to end."""
    cpu_seconds: float
    """Of the workers, while they ran batches."""
    workers: int
    """Workers at the end."""

    def __str__(self) -> str:
        told = ", ".join(f"{n} {status}" for status, n in sorted(self.statuses.items()))
        return (
            f"{self.rows} rows of {self.points} points ({told}); {self.ran} runs in {self.seconds:.1f} s "
            f"on {self.workers} workers, {self.reused} rows are copies"
        )


@dataclass
class _Queue:
    """What is still to do."""

    gaps: list[tuple[int, int]] = field(default_factory=list)
    lanes: list[tuple[int, int]] = field(default_factory=list)
    pieces: list[Batch] = field(default_factory=list)

    def left(self) -> int:
        ranges = sum(last - first for first, last in self.gaps)
        return ranges + len(self.lanes) + sum(map(len, self.pieces))

    def take(self, size: int) -> Batch | None:
        if self.pieces:
            return self.pieces.pop()
        if self.lanes:
            taken, self.lanes = self.lanes[:size], self.lanes[size:]
            return Batch(lanes=tuple(taken))
        if not self.gaps:
            return None
        first, last = self.gaps[0]
        end = min(first + size, last)
        self.gaps[0:1] = [(end, last)] if end < last else []
        return Batch(first, end)


def run(
    space: Space,
    out: str | os.PathLike[str],
    engine: Engine | distributed.Client | str | None = None,
    batch_seconds: float = 10.0,
    progress: bool | Callable[[Progress], object] = True,
    *,
    dedup: bool | None = None,
) -> Summary:
    """Runs what is missing of a space, and keeps the rows in a folder.

    ``engine``: this machine's cores if left out; the address of a Dask scheduler; a ``distributed.Client``; or an engine
    of your own. Workers of other machines must see the folder under the same path and have this version of the package; the
    scheduler does not need it.

    ``dedup``: equal runs (by their keys) are made once. By default where it can matter: an axis is for one scheduler only,
    or the folder holds other spaces, whose rows are then taken as well. How a space was begun it goes on.

    ``progress``: a bar, nothing, or a function that is given ``Progress`` after each batch. The interrupt key ends the
    session: what is done stays, and the same call goes on from there.

    One session has a folder at a time; another one gets ``FolderInUse``. A file of rows that cannot be read, or is not what
    its name says, is moved to ``set-aside`` in the folder with a warning, and its points are run again.
    """
    if not isinstance(space, Space):
        raise TypeError(f"A campaign runs the points of a Space; not {space!r}.")
    is_engine = all(hasattr(engine, name) for name in ("workers", "submit", "wait", "result", "cancel"))
    if not (engine is None or isinstance(engine, (str, distributed.Client)) or is_engine):
        raise TypeError(f"engine: an address, a distributed.Client or an Engine; not {engine!r}")
    between("batch_seconds", batch_seconds, 0.001, 86_400)
    store = Store(out)
    with held(store.folder):
        others = [entry for entry in store.entries(tidy=True) if entry.written != space.to_dict()]
        if dedup is None:
            dedup = bool(others) or any("scheduler" in axis for axis in space.axes)
        entry = store.begin(space, dedup)
        return _Session(store, entry, space, engine, batch_seconds, progress).carry_out()


def _ready(
    engine: Engine | distributed.Client | str | None,
) -> AbstractContextManager[Engine]:
    if engine is None or isinstance(engine, (str, distributed.Client)):
        return DaskEngine(engine)
    return nullcontext(engine)


class _Session:
    def __init__(
        self,
        store: Store,
        entry: Entry,
        space: Space,
        engine: Engine | distributed.Client | str | None,
        batch_seconds: float,
        progress: bool | Callable[[Progress], object],
    ) -> None:
        self.store = store
        self.entry = entry
        self.space = space
        self.where = engine
        self.workers = 0
        self.batch_seconds = batch_seconds
        folder = str(store.folder.absolute())
        self.task = Task(folder, entry.id, json.dumps(space.to_dict()), VERSION)
        self.ran = self.bad = 0
        self.cpu_seconds = 0.0
        self.begun = time.perf_counter()
        self.per_point: float | None = None
        self.tell = _teller(progress)

    def carry_out(self) -> Summary:
        reused = 0
        self.store.settle(self.entry)
        if self.entry.by_keys:
            wanted = by_lanes.missing(self.store, self.entry, self.space)
            to_run, shared = by_lanes.divide(self.store, self.space, wanted)
            total = len(self.space.keys())
            self._work_off(_Queue(lanes=to_run), total - len(to_run), total)
            reused = by_lanes.copy(self.store, self.entry, self.space, shared)
        else:
            gaps = self.store.missing(self.entry, len(self.space))
            left = sum(last - first for first, last in gaps)
            self._work_off(_Queue(gaps=gaps), len(self.space) - left, len(self.space))
        self.store.settle(self.entry)
        statuses = self.store.statuses(self.entry)
        return Summary(
            points=len(self.space),
            rows=sum(statuses.values()),
            ran=self.ran,
            reused=reused,
            statuses=dict(statuses),
            seconds=time.perf_counter() - self.begun,
            cpu_seconds=self.cpu_seconds,
            workers=self.workers,
        )

    def _work_off(self, queue: _Queue, done: int, total: int) -> None:
        """Carries batches out until none is left; then, one by one, the runs that may have ended their workers."""
        began_with = done

        def more(runs: int) -> None:
            nonlocal done
            done += runs
            self._progress(done, total, began_with)

        more(0)
        try:
            # Where nothing is to do, no engine is started.
            if queue.left() > 0:
                with _ready(self.where) as engine:
                    for batch in self._all_at_once(engine, queue, more):
                        self._try_alone(engine, batch)
                        more(1)
        finally:
            self.tell(None)

    def _all_at_once(
        self, engine: Engine, queue: _Queue, more: Callable[[int], None]
    ) -> list[Batch]:
        """Carries batches out, several at a time; gives the single runs whose workers ended."""
        under_way: dict[Any, Batch] = {}
        suspects: list[Batch] = []
        try:
            while True:
                self.workers = engine.workers
                while len(under_way) < 2 * self.workers:
                    batch = queue.take(self._size(queue.left()))
                    if batch is None:
                        break
                    under_way[engine.submit(carry_out, self.task, batch)] = batch
                if not under_way:
                    return suspects
                for handle in engine.wait():
                    batch = under_way.pop(handle)
                    try:
                        self._take(batch, engine.result(handle))
                    except WorkerLost:
                        if len(batch) == 1:
                            suspects.append(batch)
                        else:
                            queue.pieces.extend(batch.cut(PIECES))
                        continue
                    more(len(batch))
        finally:
            engine.cancel(under_way)

    def _try_alone(self, engine: Engine, batch: Batch) -> None:
        """Runs one with nothing beside it: an engine blames everything that is on a worker when it ends."""
        for _ in range(TRIES):
            engine.submit(carry_out, self.task, batch)
            (handle,) = engine.wait()
            try:
                return self._take(batch, engine.result(handle))
            except WorkerLost:
                continue
        message = f"the process that ran it ended, {TRIES} times when it was alone"
        lanes = list(batch.lanes) or self._lanes_of(batch.first)
        rows = to_arrow(self.space.killed(lanes, message))
        name = lanes_name(rows) if batch.lanes else part_name(batch.first, batch.last)
        self.store.write(self.entry.id, name, rows)
        self.bad += rows.num_rows

    def _lanes_of(self, point: int) -> list[tuple[int, int]]:
        lanes = self.space.keys(point, point + 1)["lane"]
        return [(point, lane) for lane in lanes]

    def _size(self, left: int) -> int:
        """Points of the next batch: of the wanted time; towards the end always a share of what is left, so that all workers
        end together. Batches of many workers stay longer, for they come to an end one after the other."""
        workers = max(1, self.workers)
        share = -(-left // (2 * workers))
        if self.per_point is None:
            return min(TRIAL, share) or 1
        least = min(self.batch_seconds / 2, max(SHORTEST, EACH * workers))
        each = max(self.per_point, 1e-9)
        size = min(self.batch_seconds / each, MOST, max(least / each, share))
        return max(1, round(size))

    def _take(self, batch: Batch, done: Done) -> None:
        self.ran += done.rows
        self.bad += done.bad
        self.cpu_seconds += done.cpu_seconds
        each = done.seconds / len(batch)
        # Neighbours cost about the same; what was long ago counts less and less.
        self.per_point = each if self.per_point is None else (self.per_point + each) / 2

    def _progress(self, done: int, total: int, began_with: int) -> None:
        seconds = time.perf_counter() - self.begun
        ran = done - began_with
        left = seconds / ran * (total - done) if ran else None
        self.tell(Progress(done, total, self.bad, seconds, left))


def _teller(
    progress: bool | Callable[[Progress], object],
) -> Callable[[Progress | None], object]:
    """What is told of progress; ``None`` is the end."""
    if callable(progress):
        told = progress
        return lambda now: told(now) if now else None
    if not progress:
        return lambda now: None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return lambda now: None
    bar: Any = None

    def show(now: Progress | None) -> None:
        nonlocal bar
        if now is None:
            if bar is not None:
                bar.close()
            return
        if bar is None:
            bar = tqdm(total=now.total, initial=now.done, unit="run", dynamic_ncols=True)
        bar.set_postfix(bad=now.bad, refresh=False)
        bar.update(now.done - bar.n)

    return show
