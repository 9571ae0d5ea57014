"""A campaign's folder: what is damaged does not count, one driver has it, and no run counts twice."""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import MS, short
from timeslice import Space, campaign
from timeslice.campaign.parts import lanes_name, part_name
from timeslice.campaign.store import Store


class Here:
    """An engine that carries batches out in this process, and says that every point takes 10 ms."""

    workers = 1

    def __init__(self) -> None:
        self.done: list[Any] = []

    def submit(self, work: Callable[..., Any], *arguments: Any) -> int:
        done = work(*arguments)
        self.done.append(replace(done, seconds=0.01 * len(arguments[1])))
        return len(self.done) - 1

    def wait(self) -> Sequence[int]:
        self.at = getattr(self, "at", -1) + 1
        return [self.at]

    def result(self, handle: int) -> Any:
        return self.done[handle]

    def cancel(self, handles: Iterable[int]) -> None:
        pass


def run(space: Space, out: Path, **options: Any) -> campaign.Summary:
    """A campaign in batches of some 30 points, silently."""
    return campaign.run(space, out, Here(), 0.3, **{"progress": False, **options})


def whole(out: Path) -> pa.Table:
    """All rows, in the order of the points."""
    return campaign.open(out).to_table().sort_by([("point", "ascending"), ("lane", "ascending")])


def files(out: Path) -> list[Path]:
    store = Store(out)
    return store.files(store.latest())


def cut(file: Path, other: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def altered(file: Path, other: Path) -> None:
    """Some bytes of the first page are others; the table of contents is whole."""
    there = bytearray(file.read_bytes())
    there[60:64] = b"\xff\x00\xff\x00"
    file.write_bytes(there)


def renamed(file: Path, other: Path) -> None:
    """It has the rows of other points."""
    files(file.parents[2])[2].replace(file)


DAMAGES: dict[str, tuple[Callable[[Path, Path], object], str]] = {
    "empty": (lambda file, other: file.write_bytes(b""), "cannot be read"),
    "cut": (cut, "cannot be read"),
    "altered": (altered, "cannot be read"),
    "text": (lambda file, other: file.write_text("point,lane\n0,0\n" * 20), "cannot be read"),
    "other points": (renamed, "it says that it is .*part-"),
    "other space": (lambda file, other: shutil.copy(files(other)[1], file), "it says that it is .*space"),
    "other columns": (lambda file, other: pq.write_table(pa.table({"point": [1]}), file), "columns are not those"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("by_keys", [False, True])
def test_a_file_that_is_not_what_it_says_is_set_aside(tmp_path: Path, damage: str, by_keys: bool) -> None:
    space, out, other = short(300), tmp_path / "out", tmp_path / "other"
    run(space, out, dedup=by_keys)
    run(short(300, 2 * MS), other, dedup=by_keys)
    rows = whole(out)
    change, why = DAMAGES[damage]
    why = why.replace("part-", "lanes-") if by_keys else why
    file = files(out)[1]
    change(file, other)
    bytes_of, left = file.read_bytes(), len(files(out))
    with pytest.warns(UserWarning, match=f"{file.name} does not count: .*{why}"):
        assert 0 < campaign.open(out).count_rows() < 300
    # Who only reads, moves nothing.
    assert len(files(out)) == left
    with pytest.warns(UserWarning, match=f"{file.name} does not count and is now .*set-aside.*{why}"):
        summary = run(space, out)
    assert (summary.rows, summary.statuses) == (300, {"ok": 300})
    assert 0 < summary.ran < 300
    assert whole(out).equals(rows)
    (kept,) = (out / "set-aside").rglob("*.parquet")
    assert kept.read_bytes() == bytes_of


def test_files_of_0_2_0_count_if_their_keys_are_those_of_the_space(tmp_path: Path) -> None:
    space = short(300)
    run(space, tmp_path)
    for file in files(tmp_path):
        pq.write_table(pq.read_table(file, partitioning=None).replace_schema_metadata(None), file)
    assert run(space, tmp_path).ran == 0
    rows = pa.table(short(300, 2 * MS).rows(0, 32))
    pq.write_table(rows, files(tmp_path)[0])
    with pytest.warns(UserWarning, match="does not count.*is another run here"):
        assert run(space, tmp_path).statuses == {"ok": 300}


@pytest.mark.parametrize("text", ["", '{"id": "a', "[]", '{"id": 1}', "{}"])
def test_a_damaged_file_of_a_space_is_set_aside(tmp_path: Path, text: str) -> None:
    space = short(100)
    run(space, tmp_path)
    (file,) = (tmp_path / "spaces").glob("*.json")
    file.write_text(text)
    with pytest.warns(UserWarning, match=f"{file.name} does not count: it is no space"):
        with pytest.raises(FileNotFoundError, match="there is no campaign"):
            campaign.open(tmp_path)
    with pytest.warns(UserWarning, match=f"{file.name} does not count and is now .*set-aside"):
        # Its rows are there.
        assert run(space, tmp_path).ran == 0
    assert (tmp_path / "set-aside" / "spaces" / file.name).read_text() == text
    assert campaign.open(tmp_path).count_rows() == 100


def test_a_run_that_two_files_have_counts_once(tmp_path: Path) -> None:
    space = short(100)
    run(space, tmp_path)
    store = Store(tmp_path)
    id = store.latest().id
    # The remainder of the first has the name of the second, and the last is within another.
    for first, last in [(10, 35), (32, 35), (40, 41), (90, 100)]:
        store.write(id, part_name(first, last), pa.table(space.rows(first, last)))
    lanes = pa.table(space.run_lanes([(3, 0), (99, 0)]))
    store.write(id, lanes_name(lanes), lanes)
    expected = pa.table(space.rows())
    assert campaign.open(tmp_path).count_rows() == 100
    assert whole(tmp_path).equals(expected)
    assert dict(store.statuses(store.latest())) == {"ok": 100}
    assert campaign.verify(tmp_path, 1.0) == campaign.Verified(100, [])
    assert run(space, tmp_path).rows == 100
    assert whole(tmp_path).equals(expected)
    assert sum(pq.read_metadata(file).num_rows for file in files(tmp_path)) == 100


def test_a_run_that_two_files_of_lanes_have_counts_once(tmp_path: Path) -> None:
    space = short(100)
    run(space, tmp_path, dedup=True)
    store = Store(tmp_path)
    for lanes in [[(3, 0), (99, 0)], [(99, 0)], [(50, 0), (3, 0)]]:
        rows = pa.table(space.run_lanes(lanes))
        store.write(store.latest().id, lanes_name(rows), rows)
    expected = pa.table(space.rows())
    assert whole(tmp_path).equals(expected)
    assert run(space, tmp_path).rows == 100
    assert campaign.compact(tmp_path) == 1
    assert whole(tmp_path).equals(expected)


def test_a_folder_has_one_driver(tmp_path: Path) -> None:
    space = short(200)
    refused: list[str] = []

    def try_it_too(now: campaign.Progress) -> None:
        for other in (lambda: run(space, tmp_path), lambda: campaign.compact(tmp_path)):
            if now.done:
                with pytest.raises(campaign.FolderInUse) as error:
                    other()
                refused.append(str(error.value))
        # Who only reads may do so.
        assert campaign.open(tmp_path).count_rows() >= now.done

    run(space, tmp_path, progress=try_it_too)
    who = f"process {os.getpid()} of {socket.gethostname()}"
    wanted = f"{tmp_path}: {who} carries out a campaign here; wait until it has ended, or take another folder"
    assert len(refused) > 2
    assert set(refused) == {wanted}
    assert run(space, tmp_path).ran == 0


def test_the_lock_of_a_driver_that_ended_is_taken_over(tmp_path: Path) -> None:
    tmp_path.joinpath("lock").write_text(json.dumps({"host": socket.gethostname(), "process": 123}))
    with pytest.warns(UserWarning, match="process 123 of this machine ended in the middle of a campaign; this one goes on"):
        assert run(short(50), tmp_path).rows == 50
    assert run(short(50), tmp_path).rows == 50


def test_the_lock_of_another_machine_is_respected(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text('{"host": "node7", "process": 123}')
    with pytest.raises(campaign.FolderInUse, match="process 123 of node7 .* once it has ended, delete .*lock"):
        run(short(50), tmp_path)
    assert not list(tmp_path.rglob("*.parquet"))
    lock.unlink()
    assert run(short(50), tmp_path).rows == 50


def test_a_disk_without_room_is_an_error_and_leaves_no_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = short(100)

    def full(rows: pa.Table, file: Any, **options: Any) -> None:
        file.write(b"PAR1")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pq, "write_table", full)
        with pytest.raises(OSError, match="No space left on device"):
            run(space, tmp_path)
    (runs,) = (tmp_path / "runs").iterdir()
    assert list(runs.iterdir()) == []
    assert run(space, tmp_path).statuses == {"ok": 100}


KILLED = """
import os, random, signal, sys, time
sys.path.insert(0, sys.argv[1])
from conftest import short
from test_folder import Here, run, whole
from timeslice import campaign

out, kills = sys.argv[2:4]
random.seed(1)
for _ in range(int(kills)):
    driver = os.fork()
    if driver == 0:
        import warnings
        warnings.simplefilter("ignore")
        run(short(1_500), out)
        campaign.compact(out)
        os._exit(0)
    time.sleep(random.uniform(0, 0.15))
    os.kill(driver, signal.SIGKILL)
    print(os.waitpid(driver, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process that is copied has loaded everything")
def test_a_driver_that_is_killed_at_any_time_changes_nothing(tmp_path: Path) -> None:
    folder, out = str(Path(__file__).parent), tmp_path / "out"
    ran = subprocess.run([sys.executable, "-c", KILLED, folder, str(out), "20"], capture_output=True, text=True)
    assert ran.stderr == ""
    assert len(ran.stdout.split()) == 20
    with warnings.catch_warnings():
        # Whether the last one was killed in the middle is left to chance.
        warnings.simplefilter("ignore")
        run(short(1_500), out)
    assert whole(out).equals(pa.table(short(1_500).rows()))
    assert not out.joinpath("set-aside").exists()
