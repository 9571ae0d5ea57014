"""A campaign's folder: which spaces it holds, and their rows as partitioned Parquet.

``spaces/ID.json`` is a space, ``runs/space=ID/part-FIRST-LAST.parquet`` has the rows of the points from FIRST up to LAST, and
``runs/space=ID/lanes-HASH.parquet`` rows of single lanes. A file is written aside and renamed, so whatever has such a name
is whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from .._core import VERSION, Table
from ..studies import Space

if TYPE_CHECKING:
    import pyarrow.dataset as ds

_PART = re.compile(r"part-(\d+)-(\d+)\.parquet")
_ROWS_AT_A_TIME = 20_000


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


def identity(space: Space) -> str:
    """What a space is called in a folder: the same for the same space and version of the core."""
    written = {key: value for key, value in space.to_dict().items() if key != "name"}
    text = json.dumps([VERSION, written], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Store:
    """A campaign's folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def entries(self) -> list[Entry]:
        """All spaces, in the order in which they were begun."""
        found = []
        for file in (self.folder / "spaces").glob("*.json"):
            found.append(Entry(**json.loads(file.read_text(encoding="utf-8"))))
        return sorted(found, key=lambda entry: entry.number)

    def latest(self) -> Entry:
        """The space that was begun last."""
        entries = self.entries()
        if not entries:
            raise FileNotFoundError(f"{self.folder}: there is no campaign")
        return entries[-1]

    def begin(self, space: Space, by_keys: bool) -> Entry:
        """The entry of a space; a new one is the latest. One that is there stays as it was begun."""
        entries = self.entries()
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
        aside.write_text(json.dumps(entry.__dict__, indent=1), encoding="utf-8")
        aside.replace(place / f"{id}.json")
        return entry

    def runs(self, entry: Entry) -> Path:
        """Where its rows are."""
        return self.folder / "runs" / f"space={entry.id}"

    def files(self, entry: Entry) -> list[Path]:
        """The files of its rows."""
        return sorted(self.runs(entry).glob("*.parquet"))

    def dataset(self, entry: Entry) -> ds.Dataset:
        """Its rows."""
        # Where pandas is installed this loads it, which takes a second: workers never need it, and sessions seldom.
        import pyarrow.dataset as ds

        schema = to_arrow(entry.space()._core.empty()).schema
        return ds.dataset([str(file) for file in self.files(entry)], schema=schema, format="parquet")

    def statuses(self, entry: Entry) -> Counter[str]:
        """How many of its rows have which status."""
        found: Counter[str] = Counter()
        for file in self.files(entry):
            with pq.ParquetFile(file) as rows:
                found.update(rows.read(columns=["status"])["status"].to_pylist())
        return found

    def covered(self, entry: Entry) -> list[tuple[int, int]]:
        """First and last (not included) point of each part, in their order."""
        names = [_PART.fullmatch(file.name) for file in self.files(entry)]
        return sorted((int(name[1]), int(name[2])) for name in names if name)

    def missing(self, entry: Entry, points: int) -> list[tuple[int, int]]:
        """The points that no part covers."""
        gaps, at = [], 0
        for first, last in [*self.covered(entry), (points, points)]:
            if first > at:
                gaps.append((at, first))
            at = max(at, last)
        return gaps

    def settle(self, entry: Entry) -> None:
        """Leaves each point in one part only: a run that was given up may have gone on beside the next one.

        Runs are functions of their scenarios, so what two parts say of a point is the same.
        """
        at = 0
        for first, last in sorted(self.covered(entry), key=lambda part: (part[0], -part[1])):
            if first < at:
                file = self.runs(entry) / part_name(first, last)
                if last > at:
                    rows = pq.read_table(file)
                    kept = rows.filter(pa.compute.greater_equal(rows["point"], at))
                    self.write(entry.id, part_name(at, last), kept)
                file.unlink()
            at = max(at, last)

    def write(self, id: str, name: str, rows: pa.Table) -> None:
        """Writes a file of rows, which is there as a whole or not at all."""
        write(self.folder, id, name, rows)

    def known(self, measures: list[str], max_events: int) -> list[ds.Dataset]:
        """Rows of all spaces that have these measures and the same limit, whatever their points are."""
        found = []
        for entry in self.entries():
            space = entry.space()
            if set(measures) <= set(space.measures) and space.max_events == max_events:
                found.append(self.dataset(entry))
        return found

    def compact(self, entry: Entry, part_bytes: int) -> int:
        """Puts many small files into few; gives how many there are then."""
        self.settle(entry)
        for group in list(self._groups(entry, part_bytes)):
            rows = pa.concat_tables(pq.read_table(file) for file in group)
            names = [_PART.fullmatch(file.name) for file in group]
            if names[0]:
                name = part_name(int(names[0][1]), int((names[-1] or names[0])[2]))
            else:
                name = lanes_name(rows)
            self.write(entry.id, name, rows)
            for file in group:
                if file.name != name:
                    file.unlink()
        return len(self.files(entry))

    def _groups(self, entry: Entry, part_bytes: int) -> Iterator[list[Path]]:
        """Files that go together: neighbours, as long as they are small enough."""
        group: list[Path] = []
        size, end = 0, None
        for file in self.files(entry):
            name = _PART.fullmatch(file.name)
            begin = int(name[1]) if name else None
            bytes_of = file.stat().st_size
            if group and (begin != end or size + bytes_of > part_bytes):
                yield group
                group, size = [], 0
            group.append(file)
            size += bytes_of
            end = int(name[2]) if name else None
        if len(group) > 1:
            yield group


def to_arrow(rows: Table) -> pa.Table:
    """Rows of the core for pyarrow, without a copy. ``pyarrow.table`` gives the same, but loads pandas to ask whether it is
    some of that."""
    return pa.RecordBatchReader.from_stream(rows).read_all()


def part_name(first: int, last: int) -> str:
    """The file of the points from ``first`` up to ``last``, ``last`` not included."""
    return f"part-{first:010}-{last:010}.parquet"


def lanes_name(rows: pa.Table) -> str:
    """The file of rows of single lanes."""
    lanes = json.dumps([rows["point"].to_pylist(), rows["lane"].to_pylist()])
    return f"lanes-{hashlib.sha256(lanes.encode()).hexdigest()[:24]}.parquet"


def write(folder: Path, id: str, name: str, rows: pa.Table) -> None:
    """As ``Store.write``, for workers."""
    place = folder / "runs" / f"space={id}"
    aside = place / f".{uuid.uuid4().hex}"
    pq.write_table(rows, aside, compression="zstd", row_group_size=_ROWS_AT_A_TIME)
    aside.replace(place / name)
