"""Runs and their results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import timeslice

MS = 1_000_000


def test_a_report_is_what_the_command_line_prints(cli: Callable[..., bytes]) -> None:
    reports = timeslice.run("bfs-smt", 50 * MS)
    told = json.loads(cli("run", "bfs-smt", "--until", "50ms", "--json"))
    assert [dict(report) for report in reports] == told
    report = reports[0]
    assert (report.scheduler, report.era, report.machine) == ("bfs", "0.318", "i7860")
    assert report.elapsed_ns == 50 * MS
    assert report.events > 0
    assert report.fault is None
    assert report.metrics == report["metrics"]
    assert report.counters == report["counters"]
    assert repr(report).startswith("Report(bfs 0.318 on i7860, 50000000 ns, ")


def test_a_property_is_set_as_on_the_command_line(cli: Callable[..., bytes]) -> None:
    sets = {"groups.dhry.nice": 5, "lanes.bfs.hz": 250, "end.atNs": "50ms"}
    reports = timeslice.run("bfs-smt", set=sets)
    args = [word for path, value in sets.items() for word in ("--set", f"{path}={value}")]
    told = json.loads(cli("run", "bfs-smt", *args, "--json"))
    assert [report.digest for report in reports] == [lane["digest"] for lane in told]
    later = timeslice.changed(timeslice.changed("bfs-smt", {"end.atNs": 50 * MS}), {"groups.dhry.nice": 5}, at_ns=MS)
    assert later["edits"][-1]["atNs"] == MS
    with pytest.raises(timeslice.ScenarioError, match=r"groups\.dry\.nice: must be one of dhry"):
        timeslice.run("bfs-smt", set={"groups.dry.nice": 5})
    scenario = timeslice.scenario("bfs-smt")
    for path, value in sets.items():
        scenario[path] = value
    assert scenario == timeslice.changed(timeslice.scenario("bfs-smt"), sets)
    assert (scenario["groups.dhry.nice"], scenario["end.atNs"]) == (5, 50 * MS)
    assert scenario["lanes.bfs.hz"] == scenario["schedulers"][0]["tunables"]["hz"] == 250
    scenario["groups.dhry.nice"] = None
    assert scenario["groups.dhry.nice"] == 0
    with pytest.raises(timeslice.ScenarioError, match=r"groups\.dry\.nice: must be one of dhry"):
        scenario["groups.dry.nice"] = 5


def test_a_slice_that_changes_nothing_is_told_with_the_reason() -> None:
    reports = timeslice.run("cfs-eevdf", MS, set={"groups.half.sliceNs": "100us"})
    assert [len(report.notices) for report in reports] == [1, 1, 1]
    assert reports[0].notices == [
        "slice of half: CFS (Linux 4.9) has no slices of threads: this lane ignores them"
    ]
    assert "ends turns at ticks" in reports[2].notices[0]
    assert f"<p>{reports[0].notices[0]}</p>" in reports[0]._repr_html_()
    assert timeslice.run("cfs-eevdf", MS)[0].notices == []


def test_seed_scheduler_and_warm_up_are_those_of_the_command_line(cli: Callable[..., bytes]) -> None:
    args = ["--seed", "7", "--until", "50ms", "--from", "20ms", "--json"]
    for scheduler, lanes in [("bfs", 1), ("ule", 1), (None, 3)]:
        chosen = [] if scheduler is None else ["--scheduler", scheduler]
        reports = timeslice.run("bfs-smt", 50 * MS, from_ns=20 * MS, seed=7, scheduler=scheduler)
        assert len(reports) == lanes
        assert [dict(report) for report in reports] == json.loads(cli("run", "bfs-smt", *chosen, *args))
    turns = "length(turns(lane, all))"
    [late] = timeslice.run("bfs-smt", 400 * MS, from_ns=100 * MS, scheduler="bfs")
    assert late.measure(turns) == late.measure("length(turns(lane, all, from=100ms))", 0) < late.measure(turns, 0)
    with pytest.raises(timeslice.ScenarioError, match=r"from_ns: must be before the end of the run \(50000000 ns\)"):
        timeslice.run("bfs-smt", 50 * MS, from_ns=50 * MS)
    with pytest.raises(ValueError, match="from_ns"):
        timeslice.run("bfs-smt", from_ns=-1)
    with pytest.raises(timeslice.ScenarioError, match="seed"):
        timeslice.run("bfs-smt", seed=-1)
    with pytest.raises(timeslice.ScenarioError, match="must be one of"):
        timeslice.run("bfs-smt", scheduler="fair")


def test_threads_groups_and_cpus_are_columns() -> None:
    (report, *_) = timeslice.run("bfs-smt", 50 * MS)
    assert report.threads["name"] == [thread["name"] for thread in report["threads"]]
    assert report.threads["cpuNs"] == [thread["cpuNs"] for thread in report["threads"]]
    assert report.threads["exitedAtNs"] == [thread["exitedAtNs"] for thread in report["threads"]]
    causes = [thread["byCauseNs"]["sibling"] for thread in report["threads"]]
    assert report.threads["byCauseNs/sibling"] == causes
    assert report.groups.to_dicts() == report["groups"]
    assert report.cpus.to_dicts() == report["cpus"]
    with pytest.raises(KeyError, match="must be one of name, background"):
        report.threads["colour"]


def test_measures_are_those_of_the_command_line(cli: Callable[..., bytes]) -> None:
    expressions = ["each(p(latencies(lane, half), 99))", "share(2, half)", "max(waits(1, hog)) > 1ms", "exit(1, hog)"]
    flags = [flag for expression in expressions for flag in ("--measure", expression)]
    told = json.loads(cli("run", "cfs-eevdf", "--until", "500ms", "--json", *flags))
    values = [timeslice.measure("cfs-eevdf", e, until_ns=500 * MS) for e in expressions]
    assert values == [each["value"] for each in told]
    report = timeslice.run("cfs-eevdf", 500 * MS)[1]
    assert report.measure("share(lane, half)") == values[1]
    assert report.measure("length(turns(lane, hog))") == len(report.distribution("turns(lane, hog)"))
    assert len(report.distribution("turns(lane, hog)", from_ns=250 * MS)) < len(report.distribution("turns(lane, hog)"))
    with pytest.raises(timeslice.ScenarioError, match='nobody is called "hgo"'):
        report.measure("waits(lane, hgo)")
    with pytest.raises(timeslice.ScenarioError, match="expected a list"):
        report.distribution("1 + 1")


def test_a_scenario_is_a_dictionary_an_id_or_a_file(tmp_path: Path) -> None:
    by_id = timeslice.run("bfs-smt", MS)
    written = timeslice.scenario("bfs-smt")
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(written), encoding="utf-8")
    for other in (written, file, str(file), timeslice.complete(file)):
        assert [r.digest for r in timeslice.run(other, MS)] == [r.digest for r in by_id]


def test_what_guides_visitors_is_left_out_unless_asked_for() -> None:
    assert "controls" not in timeslice.scenario("s0-v890")
    assert "controls" in timeslice.scenario("s0-v890", guide=True)


def test_a_wrong_scenario_is_told_with_path_and_range() -> None:
    scenario = timeslice.scenario("s3-nice")
    scenario["groups"][0]["nice"] = 33
    scenario["seed"] = -1
    (problem,) = timeslice.check({**scenario, "seed": 1})
    assert (problem.path, problem.low, problem.high) == ("groups[0].nice", -20, 20)
    scenario["seed"] = 1
    with pytest.raises(timeslice.ScenarioError) as caught:
        timeslice.run(scenario)
    assert caught.value.problems == [problem]
    assert str(caught.value) == "groups[0].nice: must be from -20 to 20, got 33"
    assert timeslice.check("bfs-smt") == []
    with pytest.raises(timeslice.ScenarioError, match="must be a file, or one of bfs-smt, "):
        timeslice.run("bfs")
    with pytest.raises(TypeError, match="a dictionary, the id of a shipped one, or a path; not None"):
        timeslice.run(None)  # type: ignore[arg-type]


def with_group(**changes: object) -> dict[str, object]:
    base = timeslice.scenario("bfs-smt")
    return {**base, "groups": [{**base["groups"][0], **changes}]}


@pytest.mark.parametrize(
    ("scenario", "path", "message"),
    [
        ({"colour": "red"}, "colour", "unknown field `colour`, expected one of `version`, "),
        (with_group(nyce=3), "groups[0].nyce", "unknown field `nyce`, "),
        (with_group(nice="low"), "groups[0].nice", 'invalid type: string "low", expected a whole number'),
        (with_group(allowed=[0, "ä", []]), "groups[0].allowed", "invalid type: "),
        ({**with_group(), "groups": [3]}, "groups[0]", "invalid type: integer `3`, "),
        ({"version": 1}, "", "missing field `name`"),
    ],
)
def test_a_dictionary_of_another_shape_is_told_by_path(scenario: dict[str, object], path: str, message: str) -> None:
    (problem,) = timeslice.check(scenario)
    assert problem.path.startswith(path)
    assert problem.message.startswith(message)
    with pytest.raises(timeslice.ScenarioError) as caught:
        timeslice.run(scenario)
    assert caught.value.problems == [problem]


def test_a_file_of_another_shape_is_told_by_line_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"name": "ä",\n "groups": [{}, {"nyce": 3}]}', encoding="utf-8")
    (problem, *_) = timeslice.check(file)
    assert problem.path.startswith("groups[0]")
    file.write_text('{"version": 1,\n "name": "ä" "b"}', encoding="utf-8")
    assert timeslice.check(file) == [("name", "expected `,` or `}` (line 2, column 15)", None, None)]


def test_an_argument_out_of_its_range_is_named() -> None:
    for wrong in (-1, 1.5, "1ms"):
        with pytest.raises(timeslice.ScenarioError, match="^until_ns: must be a whole number from 0 to "):
            timeslice.run("bfs-smt", wrong)  # type: ignore[arg-type]
    with pytest.raises(timeslice.ScenarioError, match="^jobs: must be a whole number from 1 to 1024, got 0"):
        timeslice.sweep("bfs-smt", [], jobs=0)
    assert timeslice.run("bfs-smt", 1e6)[0].elapsed_ns == MS  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "value", "low", "high"),
    [
        ("seed", 1 << 60, 0, (1 << 53) - 1),
        ("end", {"atNs": 0}, 1, 14_400_000_000_000),
    ],
)
def test_every_range_of_a_message_is_read(path: str, value: object, low: int, high: int) -> None:
    (problem, *_) = timeslice.check({**timeslice.scenario("bfs-smt"), path: value})
    assert problem.path.startswith(path)
    assert (problem.low, problem.high) == (low, high)


def test_an_integer_of_a_tunable_has_its_range() -> None:
    scenario = timeslice.scenario("s0-v890")
    scenario["schedulers"][1]["tunables"] = {"stealThresh": 1001}
    (problem,) = timeslice.check(scenario)
    assert problem.path == "schedulers[1].tunables.stealThresh"
    assert (problem.low, problem.high) == (0, 1000)


def test_a_fault_of_the_core_is_an_exception_and_the_next_run_works() -> None:
    with pytest.raises(timeslice.CoreError, match="invariant: this is for tests, at .*run.rs:"):
        timeslice._core.fail()
    assert timeslice.run("bfs-smt", MS)[0].digest


def interrupted(work: Callable[[], object]) -> None:
    """Sends the interrupt key's signal while something runs: it can only come while Python's lock is released."""
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.cancel()


def endless() -> dict[str, object]:
    """Four simulated hours, which is minutes of computing."""
    return {**timeslice.scenario("s2c-512-threads"), "end": {"atNs": 14_400_000_000_000}}


def test_the_interrupt_key_ends_a_run() -> None:
    interrupted(lambda: timeslice.run(endless()))


def test_the_interrupt_key_ends_a_sweep() -> None:
    axes = [{"vary": "seed", "values": [1, 2, 3, 4]}]
    interrupted(lambda: timeslice.sweep(endless(), axes))


def test_the_interrupt_key_ends_claims() -> None:
    interrupted(lambda: timeslice.claims("S2a", "S2b", seconds=3600))


def test_the_interrupt_key_ends_the_reading_of_records() -> None:
    interrupted(lambda: list(timeslice.trace(endless())))


def test_nothing_else_is_imported(tmp_path: Path) -> None:
    code = "import sys, timeslice; print({'numpy', 'pyarrow', 'dask', 'distributed', 'altair'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    assert told.stdout == b"set()\n"


def test_published_numbers_are_there() -> None:
    assert len(timeslice.published("s3-nice")["rows"]) == 41
    with pytest.raises(timeslice.ScenarioError, match="must be one of .*s0-v890"):
        timeslice.published("s9")
