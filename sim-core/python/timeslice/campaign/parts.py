"""Files of rows: what they are called, how they are written, and whether one that is there counts."""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..studies import Space
from .read import check_space

_PART = re.compile(r"part-(\d+)-(\d+)")
_ROWS_AT_A_TIME = 20_000
_SAYS = b"timeslice"
"""Name of what a file says about itself."""


@dataclass(frozen=True)
class Part:
    """A file that counts."""

    file: Path
    span: tuple[int, int] | None
    """First point and the one after the last; ``None``: single lanes."""
    lanes: tuple[tuple[int, int], ...]
    """Numbers of points and lanes, where there is no span."""


def part_name(first: int, last: int) -> str:
    """The file of the points from ``first`` up to ``last``, ``last`` not included."""
    return f"part-{first:010}-{last:010}.parquet"


def lanes_name(rows: pa.Table) -> str:
    """The file of rows of single lanes."""
    lanes = json.dumps([rows["point"].to_pylist(), rows["lane"].to_pylist()])
    return f"lanes-{hashlib.sha256(lanes.encode()).hexdigest()[:24]}.parquet"


def write(folder: Path, id: str, name: str, rows: pa.Table, *, lasting: bool = False) -> None:
    """Writes a file of rows of a space, which is there as a whole or not at all, and says what it covers.

    ``lasting``: on the disk before this returns, for whoever deletes something in its favour. Otherwise a computer that
    stops may leave it cut: then it does not count, and its points are run again.
    """
    place = folder / "runs" / f"space={id}"
    says = json.dumps({"space": id, "covers": name.removesuffix(".parquet")})
    told = rows.replace_schema_metadata({_SAYS: says})
    aside = place / f".{uuid.uuid4().hex}"
    try:
        with aside.open("xb") as file:
            pq.write_table(
                told, file, compression="zstd", row_group_size=_ROWS_AT_A_TIME, write_page_checksum=True
            )
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        aside.replace(place / name)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def examine(file: Path, id: str, space: Space, schema: pa.Schema, has_keys: bool) -> Part:
    """Reads a file as a whole. Raises ``ValueError`` with the reason if it does not count.

    ``has_keys``: keys are those of this version of the core, so a file that does not say of which space it is (of 0.2.0)
    can be compared.
    """
    places = [schema.empty_table().select(["point", "lane"])]
    try:
        with pq.ParquetFile(file, page_checksum_verification=True) as stored:
            said = (stored.schema_arrow.metadata or {}).get(_SAYS)
            if said is not None and json.loads(said) != {"space": id, "covers": file.stem}:
                raise ValueError(f"it says that it is {said.decode(errors='replace')}")
            if not stored.schema_arrow.equals(schema):
                raise ValueError("its columns are not those of the space")
            for group in range(stored.num_row_groups):
                rows = stored.read_row_group(group)
                if said is None and has_keys:
                    check_space(rows, space, schema, file)
                places.append(rows.select(["point", "lane"]))
    except (pa.ArrowException, OSError) as error:
        # What the system refuses has a number, and says nothing about the file.
        if getattr(error, "errno", None) is not None:
            raise
        raise ValueError(f"it cannot be read: {(str(error) or repr(error)).splitlines()[0]}") from error
    rows = pa.concat_tables(places).combine_chunks()
    name = _PART.fullmatch(file.stem)
    if name:
        span = int(name[1]), int(name[2])
        if file.name != part_name(*span) or not _is_span(rows, *span):
            raise ValueError("its rows are not those of the points in its name")
        return Part(file, span, ())
    if rows.num_rows == 0 or file.name != lanes_name(rows):
        raise ValueError("its name does not say which points it covers")
    return Part(file, None, _places(rows))


def _places(rows: pa.Table) -> tuple[tuple[int, int], ...]:
    """Point and lane of each row."""
    return tuple(zip(rows["point"].to_pylist(), rows["lane"].to_pylist(), strict=True))


def _is_span(rows: pa.Table, first: int, last: int) -> bool:
    """Whether rows lie in order, each lane once, and have every point from ``first`` up to ``last``."""
    if rows.num_rows == 0:
        return False
    # Differences of numbers without a sign would wrap.
    point, lane = (rows[name].cast(pa.int64()) for name in ("point", "lane"))
    if point[0].as_py() != first or point[-1].as_py() != last - 1:
        return False
    step = pc.subtract(point[1:], point[:-1])
    next_lane = pc.and_(pc.equal(step, 0), pc.greater(lane[1:], lane[:-1]))
    return pc.all(pc.or_(pc.equal(step, 1), next_lane), min_count=0).as_py() is True
