"""What ``timeslice sweep`` wrote: CSV, JSON Lines, Arrow; with the types of the columns, and checked."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from .._core import Table
from ..studies import Space

FIXED = {
    "point": pa.uint64(),
    "lane": pa.uint64(),
    "key": pa.string(),
    "machine": pa.string(),
    "scheduler": pa.string(),
    "era": pa.string(),
    "run_seed": pa.uint64(),
    "status": pa.string(),
    "message": pa.string(),
    "events": pa.uint64(),
    "digest": pa.string(),
}
"""Columns that every row has."""
STATUSES = ("ok", "invalid", "failed", "limit", "killed")


def read(file: str | os.PathLike[str], space: Space | None = None) -> pa.Table:
    """The rows of a file that ``timeslice sweep`` wrote, in any of its formats, and checks them.

    With the space of the sweep, columns and their types are those of the space, and so is the key of every row.
    Raises ``ValueError`` with what is wrong.
    """
    path = Path(file)
    schema = to_arrow(space._core.empty()).schema if space is not None else None
    with path.open("rb") as head:
        start = head.read(1)
    if start == b"{":
        rows = _json_lines(path, schema)
    elif start in (b"\xff", b"A"):
        with pa.ipc.open_stream(path) as stream:
            rows = stream.read_all()
    else:
        rows = _csv(path, schema)
    _check(rows, path)
    if space is not None and schema is not None:
        check_space(rows, space, schema, path)
    return rows


def to_arrow(rows: Table) -> pa.Table:
    """Rows of the core for pyarrow, without a copy. ``pyarrow.table`` gives the same, but loads pandas to ask whether it is
    some of that."""
    return pa.RecordBatchReader.from_stream(rows).read_all()


def _json_lines(path: Path, schema: pa.Schema | None) -> pa.Table:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    names = list(rows[0]) if rows else list(FIXED)
    texts = {field.name for field in schema if field.type == pa.string()} if schema else set()
    for row in rows:
        for name, value in row.items():
            # A column of texts holds other values as JSON, and so does one of lists or objects.
            if isinstance(value, (list, dict)) or (name in texts and not isinstance(value, (str, type(None)))):
                row[name] = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    if schema is not None:
        return pa.Table.from_pylist(rows, schema)
    columns = {name: pa.array([row[name] for row in rows], FIXED.get(name)) for name in names}
    return pa.table(columns)


def _csv(path: Path, schema: pa.Schema | None) -> pa.Table:
    types = {field.name: field.type for field in schema} if schema is not None else FIXED
    options = pyarrow.csv.ConvertOptions(column_types=types, strings_can_be_null=True)
    return pyarrow.csv.read_csv(path, convert_options=options)


def _check(rows: pa.Table, path: Path) -> None:
    lacking = [name for name in FIXED if name not in rows.column_names]
    if lacking:
        raise ValueError(f"{path}: there is no column {', '.join(lacking)}")
    for name, kind in FIXED.items():
        if rows[name].type != kind:
            raise ValueError(f"{path}: column {name} must be {kind}, not {rows[name].type}")
    unknown = set(rows["status"].to_pylist()) - set(STATUSES)
    if unknown:
        words = ", ".join(map(str, sorted(unknown, key=str)))
        raise ValueError(f"{path}: status must be one of {', '.join(STATUSES)}; got {words}")
    places = list(zip(rows["point"].to_pylist(), rows["lane"].to_pylist(), strict=True))
    if len(set(places)) != len(places):
        raise ValueError(f"{path}: there are two rows of one point and lane")


def check_space(rows: pa.Table, space: Space, schema: pa.Schema, path: Path) -> None:
    """Raises ``ValueError`` if rows are not those of a space."""
    if rows.schema.names != schema.names:
        raise ValueError(
            f"{path}: the columns of the space are {', '.join(schema.names)}; "
            f"got {', '.join(rows.schema.names)}"
        )
    if rows.num_rows == 0:
        return
    points = rows["point"].to_pylist()
    if max(points) >= len(space):
        raise ValueError(f"{path}: point must be below {len(space)}; got {max(points)}")
    keys = space.keys(min(points), max(points) + 1).to_dicts()
    known = {(key["point"], key["lane"]): key["key"] for key in keys}
    for point, lane, key in zip(points, rows["lane"].to_pylist(), rows["key"].to_pylist(), strict=True):
        if (point, lane) not in known or known[point, lane] != key:
            raise ValueError(f"{path}: point {point}, lane {lane} is another run here: key {key}")
