"""A campaign's folder: which spaces it holds, and their rows as partitioned Parquet.

``spaces/ID.json`` is a space, ``runs/space=ID/part-FIRST-LAST.parquet`` has the rows of the points from FIRST up to LAST, and
``runs/space=ID/lanes-HASH.parquet`` rows of single lanes. A file is written aside and renamed, and says what it covers. One
that cannot be read or is not what its name says does not count: who has the folder moves it to ``set-aside``.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .._core import VERSION
from ..studies import Space
from .parts import Part, examine, lanes_name, part_name, write
from .read import to_arrow

if TYPE_CHECKING:
    import pyarrow.dataset as ds


@dataclass(frozen=True)
class Entry:
    """A space of a folder."""

    id: str
    """Hash of the space and the core's version."""
    number: int
    """When it was begun: 0 is the first of the folder."""
    by_keys: bool
    """Whether its runs are told apart by their keys, and equal ones are made once."""
    version: str
    """Version of the core."""
    written: dict[str, Any]
    """The space as ``Space.to_dict`` gives it."""

    def space(self) -> Space:
        """The space."""
        return Space.from_dict(self.written)


@dataclass(frozen=True)
class Rows:
    """What is there of a space, each run once."""

    whole: list[Part]
    """Files that count as they are."""
    rest: list[tuple[Part, pa.Table]]
    """Files some of whose runs another file has as well, with the rows that are in no other."""

    def spans(self) -> list[tuple[int, int]]:
        """First and last (not included) point of each file that has whole points, in their order."""
        parts = [*self.whole, *(part for part, _ in self.rest)]
        return sorted(part.span for part in parts if part.span)


def identity(space: Space) -> str:
    """What a space is called in a folder: the same for the same space and version of the core."""
    return _identity(VERSION, space.to_dict())


def _identity(version: str, written: dict[str, Any]) -> str:
    named = {key: value for key, value in written.items() if key != "name"}
    text = json.dumps([version, named], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Store:
    """A campaign's folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._examined: dict[Path, tuple[tuple[int, int], Part]] = {}
        self._told: set[Path] = set()

    def entries(self, *, tidy: bool = False) -> list[Entry]:
        """All spaces, in the order in which they were begun. Files that are none are told of, and, for who has the folder
        (``tidy``), set aside."""
        refuse = self._set_aside if tidy else self._tell
        found = []
        for file in sorted((self.folder / "spaces").glob("*.json")):
            try:
                found.append(_entry(file))
            except ValueError as error:
                refuse(file, error)
        return sorted(found, key=lambda entry: entry.number)

    def latest(self) -> Entry:
        """The space that was begun last."""
        entries = self.entries()
        if not entries:
            raise FileNotFoundError(f"{self.folder}: there is no campaign")
        return entries[-1]

    def begin(self, space: Space, by_keys: bool) -> Entry:
        """The entry of a space; a new one is the latest. One that is there stays as it was begun."""
        entries = self.entries(tidy=True)
        id = identity(space)
        for entry in entries:
            if entry.id == id:
                return entry
        number = entries[-1].number + 1 if entries else 0
        entry = Entry(id, number, by_keys, VERSION, space.to_dict())
        self.runs(entry).mkdir(parents=True, exist_ok=True)
        place = self.folder / "spaces"
        place.mkdir(exist_ok=True)
        aside = place / f".{uuid.uuid4().hex}"
        try:
            aside.write_text(json.dumps(entry.__dict__, indent=1), encoding="utf-8")
            aside.replace(place / f"{id}.json")
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
        return entry

    def runs(self, entry: Entry) -> Path:
        """Where its rows are."""
        return self.folder / "runs" / f"space={entry.id}"

    def files(self, entry: Entry) -> list[Path]:
        """The files of its rows, whether or not they count."""
        return sorted(self.runs(entry).glob("*.parquet"))

    def rows(self, entry: Entry) -> Rows:
        """The files that count. Others are told of."""
        return _each_once(self._parts(entry, self._tell))

    def _parts(self, entry: Entry, refuse: Callable[[Path, ValueError], object]) -> list[Part]:
        space = entry.space()
        schema = to_arrow(space._core.empty()).schema
        while True:
            try:
                found = []
                for file in self.files(entry):
                    known = file.stat()
                    state = known.st_size, known.st_mtime_ns
                    before = self._examined.get(file)
                    try:
                        if before is None or before[0] != state:
                            part = examine(file, entry.id, space, schema, entry.version == VERSION)
                            self._examined[file] = before = state, part
                        found.append(before[1])
                    except ValueError as error:
                        refuse(file, error)
                return found
            except FileNotFoundError:
                # Whoever has the folder has just put files together.
                continue

    def _tell(self, file: Path, why: ValueError) -> None:
        if file not in self._told:
            self._told.add(file)
            warnings.warn(f"{file} does not count: {why}", stacklevel=2)

    def _set_aside(self, file: Path, why: ValueError) -> None:
        to = self.folder / "set-aside" / file.relative_to(self.folder)
        while to.exists():
            to = to.with_name(f"{uuid.uuid4().hex[:8]}-{file.name}")
        to.parent.mkdir(parents=True, exist_ok=True)
        file.rename(to)
        warnings.warn(f"{file} does not count and is now {to}: {why}", stacklevel=2)

    def dataset(self, entry: Entry) -> ds.Dataset:
        """Its rows, those of each run once."""
        # Where pandas is installed this loads it, which takes a second: workers never need it, and sessions seldom.
        import pyarrow.dataset as ds

        schema = to_arrow(entry.space()._core.empty()).schema
        there = self.rows(entry)
        whole = ds.dataset([str(part.file) for part in there.whole], schema=schema, format="parquet")
        rest = [ds.dataset(rows.cast(schema)) for _, rows in there.rest if rows.num_rows > 0]
        return ds.dataset([whole, *rest]) if rest else whole

    def statuses(self, entry: Entry) -> Counter[str]:
        """How many of its rows have which status."""
        found: Counter[str] = Counter()
        there = self.rows(entry)
        for part in there.whole:
            with pq.ParquetFile(part.file) as rows:
                found.update(rows.read(columns=["status"])["status"].to_pylist())
        for _, rows in there.rest:
            found.update(rows["status"].to_pylist())
        return found

    def covered(self, entry: Entry) -> list[tuple[int, int]]:
        """First and last (not included) point of each part, in their order."""
        return self.rows(entry).spans()

    def missing(self, entry: Entry, points: int) -> list[tuple[int, int]]:
        """The points that no part covers."""
        gaps, at = [], 0
        for first, last in [*self.covered(entry), (points, points)]:
            if first > at:
                gaps.append((at, first))
            at = max(at, last)
        return gaps

    def settle(self, entry: Entry) -> None:
        """Sets aside what does not count, and leaves each run in one file only: a session that ended may have workers that
        went on beside the next one. For who has the folder.

        Runs are functions of their scenarios, so what two files say of one is the same.
        """
        written = set()
        for part, rows in _each_once(self._parts(entry, self._set_aside)).rest:
            if rows.num_rows > 0:
                name = lanes_name(rows)
                if part.span:
                    points = rows["point"]
                    name = part_name(points[0].as_py(), points[-1].as_py() + 1)
                self.write(entry.id, name, rows)
                written.add(name)
            # What is left of one file may have the name of another.
            if part.file.name not in written:
                part.file.unlink()

    def write(self, id: str, name: str, rows: pa.Table) -> None:
        """Writes a file of rows, which is there as a whole or not at all."""
        write(self.folder, id, name, rows, lasting=True)

    def known(self, measures: list[str], max_events: int) -> list[ds.Dataset]:
        """Rows of all spaces that have these measures and the same limit, whatever their points are."""
        found = []
        for entry in self.entries():
            space = entry.space()
            if set(measures) <= set(space.measures) and space.max_events == max_events:
                found.append(self.dataset(entry))
        return found

    def compact(self, entry: Entry, part_bytes: int) -> int:
        """Puts many small files into few; gives how many there are then. For who has the folder."""
        self.settle(entry)
        for group in list(self._groups(entry, part_bytes)):
            rows = pa.concat_tables(pq.read_table(part.file, partitioning=None) for part in group)
            first, last = group[0].span, group[-1].span
            name = part_name(first[0], last[1]) if first and last else lanes_name(rows)
            self.write(entry.id, name, rows)
            for part in group:
                if part.file.name != name:
                    part.file.unlink()
        return len(self.rows(entry).whole)

    def _groups(self, entry: Entry, part_bytes: int) -> Iterator[list[Part]]:
        """Files that go together: neighbours, as long as they are small enough."""
        group: list[Part] = []
        size, end = 0, None
        for part in self.rows(entry).whole:
            begin = part.span[0] if part.span else None
            bytes_of = part.file.stat().st_size
            if group and (begin != end or size + bytes_of > part_bytes):
                yield group
                group, size = [], 0
            group.append(part)
            size += bytes_of
            end = part.span[1] if part.span else None
        if len(group) > 1:
            yield group


def _entry(file: Path) -> Entry:
    """Reads the file of a space. Raises ``ValueError`` with the reason if it is none."""
    try:
        entry = Entry(**json.loads(file.read_text(encoding="utf-8")))
        expected = _identity(entry.version, entry.written)
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"it is no space: {error}") from error
    if not expected == entry.id == file.stem or type(entry.number) is not int or type(entry.by_keys) is not bool:
        raise ValueError("it is another space than its name says")
    return entry


def _each_once(parts: list[Part]) -> Rows:
    """Which rows of which files stand for the runs; first whole points, by their numbers, then single lanes."""
    there = Rows([], [])
    at = 0
    ends: list[tuple[int, int]] = []
    for part in sorted((p for p in parts if p.span), key=_longest_first):
        assert part.span
        first, last = part.span
        if first >= at:
            there.whole.append(part)
        else:
            rows = pq.read_table(part.file, partitioning=None)
            there.rest.append((part, rows.filter(pc.greater_equal(rows["point"], at))))
        at = max(at, last)
        ends.append((first, at))
    starts = [first for first, _ in ends]
    seen: set[tuple[int, int]] = set()
    for part in parts:
        if part.span:
            continue
        is_new = []
        for place in part.lanes:
            before = bisect_right(starts, place[0]) - 1
            is_in_span = before >= 0 and place[0] < ends[before][1]
            is_new.append(not is_in_span and place not in seen)
            seen.add(place)
        if all(is_new):
            there.whole.append(part)
        else:
            rows = pq.read_table(part.file, partitioning=None)
            there.rest.append((part, rows.filter(pa.array(is_new))))
    return there


def _longest_first(part: Part) -> tuple[int, int]:
    first, last = part.span or (0, 0)
    return first, -last
