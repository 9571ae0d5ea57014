"""Columns leave without a copy; rows are worked out while they are read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import timeslice
from conftest import MS, short


def test_polars_and_pyarrow_read_the_same_memory() -> None:
    rows = short(20).rows()
    frame = polars.DataFrame(rows)
    columns = [pa.table(rows)["throughput"].chunk(0), pa.table(rows)["throughput"].chunk(0)]
    # How polars tells where its memory is: it gives it to Arrow as it is.
    columns.append(frame["throughput"].to_arrow())
    assert len({column.buffers()[1].address for column in columns}) == 1
    assert frame["throughput"].to_list() == rows["throughput"]


def test_pandas_takes_the_columns() -> None:
    rows = short(20).rows()
    frame = pandas.DataFrame.from_arrow(rows)
    assert list(frame.columns) == rows.columns
    assert frame["digest"].tolist() == rows["digest"]


def test_duckdb_asks_the_columns() -> None:
    import duckdb

    rows = pa.table(short(20).rows())
    assert duckdb.sql("select count(*), max(seed) from rows").fetchall() == [(20, 19)]


def test_a_notebook_shows_the_first_rows() -> None:
    rows = short(20).rows()
    html = rows._repr_html_()
    assert html.count("<tr>") == 11
    assert html.startswith("<table><tr><th>point</th><th>lane</th><th>key</th>")
    assert f"<td>{rows['digest'][9]}</td>" in html
    assert html.endswith("<p>10 of 20 rows</p>")
    # Names are the user's own words.
    scenario = timeslice.scenario("bfs-smt")
    scenario["groups"][0]["name"] = "a<b&c"
    (report, *_) = timeslice.run(scenario, MS)
    assert "<td>a&lt;b&amp;c</td>" in report.groups._repr_html_()


def test_records_are_read_once_and_in_batches() -> None:
    whole = pa.table(timeslice.trace("bfs-smt", until_ns=2_000 * MS))
    records = timeslice.trace("bfs-smt", until_ns=2_000 * MS)
    batches = list(records)
    assert sum(map(len, batches)) == whole.num_rows
    assert len(batches) > 1
    assert [s for batch in batches for s in batch["seq"]] == list(range(whole.num_rows))
    assert list(records) == []
    with pytest.raises(RuntimeError, match="read already"):
        pa.table(records)


def test_a_trace_is_that_of_the_command_line(cli: Callable[..., bytes]) -> None:
    told = cli("trace", "bfs-smt", "--until", "50ms", "--lane", "2").decode()
    there = list(csv.DictReader(io.StringIO(told)))
    here = [row for table in timeslice.trace("bfs-smt", 1, 50 * MS) for row in table.to_dicts()]
    text = {True: ""}
    assert [{k: text.get(v is None, str(v)) for k, v in row.items()} for row in here] == there


def test_decisions_are_those_of_the_command_line(cli: Callable[..., bytes]) -> None:
    told = cli("decisions", "bfs-smt", "--until", "500ms", "--json", "--thread", "dhry-2").decode()
    there = [json.loads(line) for line in told.splitlines()]
    tables = timeslice.decisions("bfs-smt", until_ns=500 * MS, thread="dhry-2")
    here = [row for table in tables for row in table.to_dicts()]
    assert len(here) == len(there) > 10
    for mine, other in zip(here, there, strict=True):
        assert json.loads(mine.pop("operands")) == other.pop("operands")
        assert mine.pop("considered") is None
        assert mine == other
    full = pa.table(timeslice.decisions("bfs-smt", until_ns=50 * MS, full=True))
    assert pc.any(pc.is_valid(full["considered"])).as_py()
    with pytest.raises(timeslice.ScenarioError, match="reason: must be one of "):
        timeslice.decisions("bfs-smt", reason="whim")
    with pytest.raises(timeslice.ScenarioError, match="lane: must be from 0 to 2, got 3"):
        timeslice.trace("bfs-smt", 3)
