"""Equal runs are made once: which lanes are missing, which of them are the same, and copies of rows."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from ..studies import Space
from .parts import lanes_name
from .read import to_arrow
from .store import Entry, Store

_SAME = ["machine", "scheduler", "era", "run_seed", "status", "message", "events", "digest"]
"""Columns that equal runs have in common, beside the measures."""
_ROWS_AT_A_TIME = 20_000


def missing(store: Store, entry: Entry, space: Space) -> pa.Table:
    """Point, lane and key of all lanes of which there is no row."""
    all_lanes = to_arrow(space.keys())
    there = store.dataset(entry).to_table(columns=["point", "lane"])
    return all_lanes.join(there, ["point", "lane"], join_type="left anti").sort_by(
        [("point", "ascending"), ("lane", "ascending")]
    )


def divide(
    store: Store, space: Space, wanted: pa.Table
) -> tuple[list[tuple[int, int]], pa.Table]:
    """Lanes that must run, and those of which another row, there or to come, is the same run."""
    known: set[str] = set()
    for rows in store.known(space.measures, space.max_events):
        known.update(rows.to_table(columns=["key"]).column("key").drop_null().to_pylist())
    to_run: list[tuple[int, int]] = []
    is_shared: list[bool] = []
    columns = (wanted[name].to_pylist() for name in ("point", "lane", "key"))
    for point, lane, key in zip(*columns, strict=True):
        # What cannot be run has no key, and its row tells why.
        is_known = key is not None and key in known
        is_shared.append(is_known)
        if not is_known:
            to_run.append((point, lane))
            known.add(key)
    return to_run, wanted.filter(pa.array(is_shared, pa.bool_()))


def copy(store: Store, entry: Entry, space: Space, shared: pa.Table) -> int:
    """Writes rows of lanes whose runs were made for others; gives how many."""
    columns = [*_SAME, *space.measures]
    names = space._core.empty().columns
    copied = 0
    for at in range(0, shared.num_rows, _ROWS_AT_A_TIME):
        some = shared.slice(at, _ROWS_AT_A_TIME)
        found = _rows(store, space, some["key"].combine_chunks(), ["key", *columns])
        rows = some.join(found, "key", join_type="inner").sort_by(
            [("point", "ascending"), ("lane", "ascending")]
        )
        if rows.num_rows == 0:
            continue
        lanes = list(zip(rows["point"].to_pylist(), rows["lane"].to_pylist(), strict=True))
        # Where they are in the space; what they gave comes from the others.
        heads = to_arrow(space.killed(lanes, ""))
        whole = pa.table({name: (rows if name in columns else heads)[name] for name in names})
        store.write(entry.id, lanes_name(whole), whole)
        copied += whole.num_rows
    return copied


def _rows(store: Store, space: Space, keys: pa.Array, columns: list[str]) -> pa.Table:
    """What the runs of some keys gave, each once."""
    wanted = pc.field("key").isin(keys)
    tables = [
        rows.to_table(columns=columns, filter=wanted)
        for rows in store.known(space.measures, space.max_events)
    ]
    return _once(pa.concat_tables(tables))


def _once(rows: pa.Table) -> pa.Table:
    seen: set[str] = set()
    kept = []
    for at, key in enumerate(rows["key"].to_pylist()):
        if key not in seen:
            seen.add(key)
            kept.append(at)
    return rows.take(pa.array(kept, pa.int64()))


