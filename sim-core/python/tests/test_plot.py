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


def test_an_interval_is_that_of_the_measure_language() -> None:
    rows = [{"x": 1, "y": value, "who": "a"} for value in (1.0, 2.0, 4.0)]
    rows += [{"x": 2, "y": 5.0, "who": "a"}, {"x": 3, "y": None, "who": "a"}]
    first, second = plot.curve(rows, "x", "y").to_dict()["data"]["values"]
    low, high = timeslice.measure("bfs-smt", "ci([1, 2, 4])", until_ns=MS)
    assert (first["low"], first["high"]) == pytest.approx((low, high))
    assert second == {"x": 2, "mean": 5.0, "low": 5.0, "high": 5.0}


def test_a_comparison_has_a_picture_for_each_measure_and_takes_any_rows() -> None:
    rows = short(3).rows()
    for of in (rows, rows.to_dicts(), rows.to_pandas(), rows.to_polars(), pa.table(rows)):
        figure = plot.compare(of, ["throughput", "migrations"]).to_dict()
        assert len(figure["hconcat"]) == 2
        (data, *_) = figure["datasets"].values() if "datasets" in figure else [figure["hconcat"][0]["data"]["values"]]
        assert [row["scheduler"] for row in data] == ["bfs"]


def test_a_distribution_ends_at_all_of_it_for_each_lane() -> None:
    reports = timeslice.run("cfs-eevdf", 1_000 * MS)
    steps = plot.cdf(reports, "waits(lane, hog)").to_dict()["data"]["values"]
    for number, report in enumerate(reports, 1):
        of = [step for step in steps if step["lane"].startswith(f"{number} {report.scheduler}")]
        times = report.distribution("waits(lane, hog)")
        assert of[0]["share"] == 0 and of[-1]["share"] == 1 and of[-1]["ms"] == max(times) / 1e6
        assert [step["share"] for step in of] == sorted(step["share"] for step in of)


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
