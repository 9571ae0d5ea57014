"""Sweeps: the words, columns and rows of the command line's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy
import pyarrow as pa
import pytest
import timeslice
from conftest import MS, short
from timeslice import Space, campaign

SWEEP = {
    "name": "all kinds of columns",
    "base": "s0-v890",
    "axes": [
        {"vary": "tunable", "scheduler": "ule", "id": "stealThresh", "values": [2, 5]},
        {"vary": "count", "group": "loop", "values": [17, 6000]},
        {"vary": "path", "id": "/machine", "name": "where", "values": ["v890", {"id": "odd"}]},
        {"vary": "path", "id": "/end", "values": [{"atNs": MS}]},
    ],
    "metrics": ["lastExitNs", "migrations", "loop/cpuNs", "reason:idle_steal"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A sweep as a file."""
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(SWEEP), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["csv", "jsonl", "arrow"])
def test_what_the_command_line_wrote_is_read(
    form: str, file: Path, tmp_path: Path, cli: Callable[..., bytes]
) -> None:
    written = tmp_path / f"rows.{form}"
    written.write_bytes(cli("sweep", str(file), "--format", form))
    space = Space.read(file)
    here = pa.table(space.rows())
    assert campaign.read(written, space).equals(here)
    assert set(here["status"].to_pylist()) == {"ok", "invalid"}
    plain = campaign.read(written)
    assert plain.column_names == here.column_names
    assert plain["digest"].to_pylist() == here["digest"].to_pylist()


def test_rows_of_another_sweep_are_refused(file: Path, tmp_path: Path, cli: Callable[..., bytes]) -> None:
    written = tmp_path / "rows.csv"
    written.write_bytes(cli("sweep", str(file), "--format", "csv"))
    other = {**SWEEP, "axes": [*SWEEP["axes"][:3], {"vary": "path", "id": "/end", "values": [{"atNs": 2 * MS}]}]}
    file.write_text(json.dumps(other), encoding="utf-8")
    with pytest.raises(ValueError, match="point 0, lane 0 is another run here"):
        campaign.read(written, Space.read(file))
    with pytest.raises(ValueError, match="the columns of the space are point, lane, key, seed"):
        campaign.read(written, short(3))
    text = written.read_text(encoding="utf-8")
    for wrong, message in [
        (text.replace("run_seed", "seed"), "there is no column run_seed"),
        (text.replace(",ok,", ",fine,"), "status must be one of ok, "),
        (text + text.splitlines()[-1] + "\n", "two rows of one point and lane"),
    ]:
        written.write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError, match=message):
            campaign.read(written)


def test_a_wrong_sweep_names_the_field() -> None:
    with pytest.raises(timeslice.ScenarioError) as caught:
        Space("s0-v890", [{"vary": "tunable", "id": "steal", "values": [1]}], ["speedOfLight"])
    assert [problem.path for problem in caught.value.problems] == ["metrics[0]", "axes[0]"]
    with pytest.raises(timeslice.ScenarioError, match="base.colour: unknown field"):
        Space({"colour": "red"}, [])
    with pytest.raises(timeslice.ScenarioError, match="last: must be a whole number from 2 to 3, got 4"):
        short(3).rows(2, 4)
    with pytest.raises(timeslice.ScenarioError, match="first: must be a whole number from 0 to 3, got -1"):
        short(3).keys(-1)
    with pytest.raises(timeslice.ScenarioError, match="point: must be a whole number from 0 to 2, got 3"):
        short(3).scenario(3)
    with pytest.raises(timeslice.ScenarioError, match="measures: must be a list of ids, got 'lastExitNs'"):
        Space("s0-v890", [], "lastExitNs")
    with pytest.raises(timeslice.ScenarioError, match="lane: must be below 1; got 1"):
        short(3).run_lanes([(0, 1)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"name": "x"', "is no JSON"),
        ("[]", "must be an object with name, base, axes, metrics"),
        ('{"axes": []}', "name: is missing\nbase: is missing"),
        ('{"name": "x", "base": "s0-v890", "axis": []}', "axis: must be one of name, base, axes, metrics"),
    ],
)
def test_a_wrong_file_of_a_sweep_says_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "sweep.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(timeslice.ScenarioError, match=message):
        Space.read(file)


def test_values_of_an_axis_are_of_any_kind() -> None:
    axes = [{"vary": "seed", "values": numpy.arange(3)}, {"vary": "path", "id": "/end/atNs", "values": range(1, 2)}]
    space = Space({**short(1).base, "seed": numpy.int64(7)}, axes)
    assert space.rows()["seed"] == [0, 1, 2]
    assert Space.from_dict(json.loads(json.dumps(space.to_dict()))).base["seed"] == 7
    with pytest.raises(TypeError, match="is no value of a scenario: a set"):
        Space("s0-v890", [{"vary": "seed", "values": {1}}])


def test_a_warm_up_is_left_out_as_on_the_command_line(tmp_path: Path, cli: Callable[..., bytes]) -> None:
    written = {**SWEEP, "axes": [{"set": "end.atNs", "values": [3 * MS]}], "from": "1ms"}
    file = tmp_path / "late.json"
    file.write_text(json.dumps(written), encoding="utf-8")
    rows = [json.loads(line) for line in cli("sweep", str(file), "--format", "jsonl").splitlines()]
    told = Space.read(file)
    late = told.rows().to_dicts()
    assert [row["loop/cpuNs"] for row in late] == [row["loop/cpuNs"] for row in rows]
    again = Space.from_dict(told.to_dict())
    assert again.keys().to_dicts() == told.keys().to_dicts()
    whole = Space("s0-v890", written["axes"], SWEEP["metrics"])
    assert whole.rows()["loop/cpuNs"] > [row["loop/cpuNs"] for row in late]
    assert whole.keys()["key"] != told.keys()["key"]
    never = timeslice.sweep("s0-v890", written["axes"], ["lastExitNs"], from_ns=3 * MS)
    assert {row["message"] for row in never.to_dicts()} == {"from: must be before the end of the run (3000000 ns)"}


def test_any_number_of_threads_gives_the_same_rows() -> None:
    space = short(50)
    assert pa.table(space.rows(jobs=1)).equals(pa.table(space.rows(jobs=3)))
    lanes = [(point, 0) for point in range(50)]
    assert pa.table(space.run_lanes(lanes)).equals(pa.table(space.rows()))


def test_progress_is_told_and_may_end_the_sweep() -> None:
    told: list[int] = []
    short(200).rows(progress=told.append)
    assert told[-1] == 200
    assert told == sorted(told)

    def stop(done: int) -> None:
        raise RuntimeError(f"enough after {done}")

    with pytest.raises(RuntimeError, match="enough after"):
        short(200).rows(progress=stop)


def test_a_run_with_too_many_events_is_a_row() -> None:
    base = timeslice.scenario("s0-v890")
    axes = [{"vary": "path", "id": "/end/atNs", "values": [MS, 100_000 * MS]}]
    rows = Space(base, axes, ["migrations"], max_events=500).rows()
    assert rows["status"] == ["ok", "ok", "limit", "limit"]
    assert rows["message"][2] == "not at its end after 500 events"


def test_a_space_comes_back_from_its_dictionary() -> None:
    space = short(7)
    again = Space.from_dict(json.loads(json.dumps(space.to_dict())))
    assert pa.table(again.rows()).equals(pa.table(space.rows()))
    assert space.scenario(3)["seed"] == 3


def test_equal_runs_have_equal_keys() -> None:
    axes = [
        {"vary": "tunable", "scheduler": "ule", "id": "stealThresh", "values": list(range(8))},
        {"vary": "count", "values": list(range(17, 65))},
        {"vary": "seed", "values": list(range(10))},
    ]
    keys = Space("s0-v890", axes).keys()
    assert len(keys) == 7680
    assert len(set(keys["key"])) == 4320
