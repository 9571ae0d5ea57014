"""Figures."""

from __future__ import annotations

import pyarrow as pa
import pytest
import timeslice
from conftest import MS, short
from timeslice import plot


def test_a_curve_has_a_line_for_each_colour() -> None:
    figure = plot.curve(short(10).rows(), "seed", "throughput", "scheduler", unit="cores").to_dict()
    assert len(figure["layer"]) == 2
    assert figure["layer"][0]["encoding"]["y"]["title"] == "throughput (cores)"


def test_a_figure_of_no_column_says_so() -> None:
    rows = short(2).rows()
    for of in (rows, pa.table(rows)):
        with pytest.raises(KeyError, match='must be one of point, lane, .*; got "speed"'):
            plot.curve(of, "seed", "speed")


def test_a_timeline_has_every_stay() -> None:
    figure = plot.timeline(timeslice.trace("bfs-smt", until_ns=50 * MS), 50 * MS).to_dict()
    stays = figure["data"]["values"]
    (report, *_) = timeslice.run("bfs-smt", 50 * MS)
    busy = {row["cpu"]: row["busyNs"] + row["overheadNs"] for row in report["cpus"]}
    for cpu, ns in busy.items():
        drawn = sum(stay["to"] - stay["from"] for stay in stays if stay["cpu"] == cpu)
        assert abs(drawn - ns / 1e6) < 1e-6
