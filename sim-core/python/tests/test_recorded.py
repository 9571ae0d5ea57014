"""Traces of real machines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import timeslice

TRACES = Path(__file__).parents[2] / "tests" / "traces"
HALF = TRACES / "half1.1.stat_runtime.ftrace.txt"


def test_a_trace_is_what_the_command_line_tells(cli: Callable[..., bytes], tmp_path: Path) -> None:
    trace = timeslice.read_trace(HALF)
    told = json.loads(cli("import", str(HALF), "--json"))
    names = ("name", "switches", "preempted", "moves")
    # Both have the same threads; for a lane events of one time are a ns apart.
    rows = {thread["pid"]: thread for thread in told["threads"]}
    for thread in trace.summary["threads"]:
        assert [thread[name] for name in names] == [rows[thread["pid"]][name] for name in names]
    file = tmp_path / "scenario.json"
    cli("import", str(HALF), "--scenario", str(file))
    assert trace.scenario() == json.loads(file.read_text())
    replay = json.loads(cli("replay", str(HALF), "--json"))
    own = trace.replay()
    assert {key: own[key] for key in ("picks", "goesOn", "preempts", "missing")} == {
        key: replay[key] for key in ("picks", "goesOn", "preempts", "missing")
    }
    # A wake-up that goes against the rules has its queue.
    (other,) = own["disagreements"]
    assert other["about"] == "preempts"
    assert {other["took"], other["rules"]} <= {row["thread"] for row in other["queue"]}


def test_the_lane_and_the_bursts_have_the_time_of_each_thread() -> None:
    trace = timeslice.read_trace(HALF)
    hog = trace.summary["threads"][0]
    lane = trace.lane.to_dicts()
    ran = sum(row["toNs"] - row["fromNs"] for row in lane if (row["pid"], row["state"]) == (hog["pid"], "runs"))
    assert ran == hog["cpuNs"]
    sleeper = [row for row in trace.bursts.to_dicts() if row["thread"] == "tsw-s" and row["then"] == "sleep"]
    assert len(sleeper) > 100
    assert set(trace.trust()) == {"trust", "cpu", "delays", "switches", "moves"}


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(timeslice.ScenarioError, match="cannot be read"):
        timeslice.read_trace(tmp_path / "none.txt")
    binary = tmp_path / "perf.data"
    binary.write_bytes(b"PERFILE2" + bytes(100))
    with pytest.raises(timeslice.ScenarioError, match="perf script"):
        timeslice.read_trace(binary)
    with pytest.raises(timeslice.ScenarioError, match="scheduler"):
        timeslice.read_trace(HALF).replay("linux")
