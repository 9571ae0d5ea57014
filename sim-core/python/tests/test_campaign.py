"""Campaigns: nothing is lost, nothing is run twice, and a run that ends its process harms no other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import distributed
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import MS, short
from timeslice import ScenarioError, Space, campaign
from timeslice.campaign import DaskEngine, Progress, WorkerLost
from timeslice.campaign.parts import part_name
from timeslice.campaign.store import Store
from timeslice.campaign.work import Batch, Done, Task


def whole(out: Path) -> pa.Table:
    """All rows, in the order of the points."""
    return campaign.open(out).to_table().sort_by([("point", "ascending"), ("lane", "ascending")])


def run(space: Space, out: Path, engine: Any, **options: Any) -> campaign.Summary:
    """A campaign in batches of some hundredths of a second, silently."""
    return campaign.run(space, out, engine, options.pop("batch_seconds", 0.03), **{"progress": False, **options})


def has_loaded(package: str) -> Callable[[], bool]:
    """Whether a process has loaded a package: travels as code, for workers do not have this file."""
    return lambda: package in __import__("sys").modules


def test_a_campaign_is_the_sweep(engine: DaskEngine, tmp_path: Path) -> None:
    space = short(2_000)
    summary = run(space, tmp_path, engine)
    assert (summary.rows, summary.ran, summary.statuses) == (2_000, 2_000, {"ok": 2_000})
    assert whole(tmp_path).equals(pa.table(space.rows()))
    assert len(Store(tmp_path).covered(Store(tmp_path).latest())) > 10
    again = run(space, tmp_path, engine)
    assert (again.rows, again.ran, again.workers) == (2_000, 0, 0)


def test_what_was_interrupted_goes_on_in_other_batches(engine: DaskEngine, tmp_path: Path) -> None:
    space = short(2_000)

    def stop(now: Progress) -> None:
        if now.done >= 1_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(space, tmp_path, engine, progress=stop)
    before = campaign.open(tmp_path).count_rows()
    assert 1_000 <= before < 2_000
    seen: list[Progress] = []
    summary = run(space, tmp_path, engine, batch_seconds=0.1, progress=seen.append)
    assert seen[0].done >= before
    assert summary.ran <= 2_000 - before
    assert whole(tmp_path).equals(pa.table(space.rows()))


def test_a_worker_that_is_killed_loses_nothing(engine: DaskEngine, tmp_path: Path) -> None:
    space = short(2_000)
    killed: list[int] = []

    def kill(now: Progress) -> None:
        if now.done >= 500 and not killed:
            killed.extend(engine.client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    engine.client.wait_for_workers(2, timeout=60)
    summary = run(space, tmp_path, engine, progress=kill)
    assert len(killed) == 2
    assert summary.statuses == {"ok": 2_000}
    # Another program took its place.
    engine.client.wait_for_workers(2, timeout=60)
    there = set(engine.client.run(os.getpid).values())
    assert (len(there), killed[0] in there, killed[1] in there) == (2, False, True)
    assert whole(tmp_path).equals(pa.table(space.rows()))


def test_workers_load_nothing_large_that_they_do_not_need(engine: DaskEngine, tmp_path: Path) -> None:
    run(short(100), tmp_path, engine)
    for package, is_loaded in [("pyarrow", True), ("pyarrow.dataset", False), ("pandas", False)]:
        assert set(engine.client.run(has_loaded(package)).values()) == {is_loaded}, package


def test_an_engine_listens_on_the_loopback_only(engine: DaskEngine) -> None:
    this = psutil.Process()
    for process in [this, *map(psutil.Process, engine.client.run(os.getpid).values())]:
        doors = [door.laddr.ip for door in process.net_connections() if door.status == psutil.CONN_LISTEN]
        assert set(doors) == {"127.0.0.1"}


def test_an_engine_leaves_no_program_behind() -> None:
    with DaskEngine(workers=1) as own:
        (worker,) = own.client.run(os.getpid).values()
        assert psutil.pid_exists(worker)
    assert not psutil.pid_exists(worker)


class Reckoned:
    """An engine that runs nothing: every point takes 10 ms, on as many workers as are wanted."""

    def __init__(self, workers: int) -> None:
        self.workers, self.sizes, self.queue = workers, list[int](), list[Batch]()

    def submit(self, work: Callable[..., Any], task: Task, batch: Batch) -> int:
        self.sizes.append(len(batch))
        return len(self.sizes) - 1

    def wait(self) -> Sequence[int]:
        self.at = getattr(self, "at", -1) + 1
        return [self.at]

    def result(self, handle: int) -> Done:
        return Done(self.sizes[handle], 0, 0.01 * self.sizes[handle], 0.0)

    def cancel(self, handles: Iterable[int]) -> None:
        assert not list(handles)


def test_batches_shrink_so_that_workers_end_together(tmp_path: Path) -> None:
    few = Reckoned(2)
    run(short(2_000), tmp_path, few, batch_seconds=10.0)
    assert sum(few.sizes) == 2_000
    left = [sum(few.sizes[at:]) for at in range(len(few.sizes))]
    # A quarter of what is left, down to batches of 50 ms.
    assert all(size <= max(5, -(-rest // 4)) for size, rest in zip(few.sizes[4:], left[4:], strict=True))
    assert max(few.sizes[-4:]) <= 5
    assert len(few.sizes) < 30


def test_batches_of_many_workers_stay_long_enough_to_be_dealt_with(tmp_path: Path) -> None:
    many = Reckoned(100)
    run(short(300_000), tmp_path, many, batch_seconds=10.0)
    assert sum(many.sizes) == 300_000
    # 32 points are tried on each worker twice; then 10 s, and no batch but the last is below 0.4 s.
    assert set(many.sizes[:200]) == {32}
    assert max(many.sizes) == 1_000
    assert min(many.sizes[200:-1]) == 40


class Poisoned:
    """An engine one of whose points ends the process that runs it."""

    def __init__(self, engine: DaskEngine, point: int) -> None:
        self.engine, self.point, self.deaths = engine, point, 0

    @property
    def workers(self) -> int:
        return self.engine.workers

    def submit(self, work: Callable[..., Any], task: Task, batch: Batch) -> Any:
        point = self.point

        # Travels as it is written here: workers do not have this file.
        def poisoned(task: Task, batch: Batch) -> Any:
            of_lanes = any(at == point for at, _ in batch.lanes)
            if of_lanes or batch.first <= point < batch.last:
                os._exit(1)
            return work(task, batch)

        return self.engine.submit(poisoned, task, batch)

    def wait(self) -> Sequence[Any]:
        return self.engine.wait()

    def result(self, handle: Any) -> Any:
        try:
            return self.engine.result(handle)
        except WorkerLost:
            self.deaths += 1
            raise

    def cancel(self, handles: Iterable[Any]) -> None:
        self.engine.cancel(handles)


def test_a_poisonous_point_is_recorded_alone_and_not_repeated(engine: DaskEngine, tmp_path: Path) -> None:
    space = short(300)
    poisoned = Poisoned(engine, 77)
    summary = run(space, tmp_path, poisoned)
    assert summary.statuses == {"ok": 299, "killed": 1}
    rows = whole(tmp_path)
    (bad,) = [row for row in rows.to_pylist() if row["status"] == "killed"]
    assert (bad["point"], bad["seed"], bad["digest"]) == (77, 77, None)
    assert bad["message"] == "the process that ran it ended, 2 times when it was alone"
    expected = pa.table(space.rows())
    innocent = [at for at in range(300) if at != 77]
    assert rows.take(innocent).equals(expected.take(innocent))
    deaths = poisoned.deaths
    assert run(space, tmp_path, poisoned).ran == 0
    assert poisoned.deaths == deaths


def test_a_cluster_is_named_by_its_address(engine: DaskEngine, tmp_path: Path) -> None:
    address = engine.client.scheduler.address
    assert address.startswith("tcp://127.0.0.1:")
    assert run(short(100), tmp_path, address).statuses == {"ok": 100}
    assert run(short(120), tmp_path / "other", engine.client).statuses == {"ok": 120}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with a worker, each a program of its own."""
    file = tmp_path / "scheduler.json"
    programs = [
        ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"),
        ("worker", "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path)),
    ]
    with ExitStack() as running:
        for name, *options in programs:
            command = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--scheduler-file", str(file)]
            program = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
            running.callback(program.wait)
            running.callback(program.terminate)
        # A program that ended would never write it.
        while not file.exists() or not file.read_text():
            assert program.poll() is None
            time.sleep(0.02)
        yield json.loads(file.read_text())["address"]


DRIVER = """
import json, os, signal, sys
from timeslice import Space, campaign

space, out, address = sys.argv[1:]
def end(now):
    if now.done >= 500:
        os.kill(os.getpid(), signal.SIGKILL)
campaign.run(Space.from_dict(json.loads(space)), out, address, 0.03, end)
"""


def test_a_driver_that_is_killed_loses_nothing(cluster: str, tmp_path: Path) -> None:
    space, out = short(2_000), tmp_path / "out"
    arguments = [json.dumps(space.to_dict()), str(out), cluster]
    driver = subprocess.run([sys.executable, "-c", DRIVER, *arguments], capture_output=True)
    assert driver.returncode == -signal.SIGKILL, driver.stderr.decode()
    with pytest.warns(UserWarning, match="ended in the middle of a campaign; this one goes on"):
        summary = run(space, out, cluster)
    assert summary.ran <= 1_500
    assert summary.statuses == {"ok": 2_000}
    assert whole(out).equals(pa.table(space.rows()))
    with distributed.Client(cluster) as client:
        assert list(client.run(has_loaded("timeslice")).values()) == [True]
        # A scheduler does not need the package.
        assert not client.run_on_scheduler(has_loaded("timeslice"))


def test_an_enlarged_campaign_computes_what_is_missing(engine: DaskEngine, tmp_path: Path) -> None:
    run(short(200), tmp_path, engine)
    larger = short(300)
    summary = run(larger, tmp_path, engine)
    assert (summary.ran, summary.reused, summary.rows) == (100, 200, 300)
    assert whole(tmp_path).equals(pa.table(larger.rows()))
    # Other measures are in no row that is there.
    other = Space(larger.base, larger.axes, ["throughput", "elapsedNs"])
    assert run(other, tmp_path, engine).ran == 300
    # The first one goes on as it was begun.
    assert run(short(200), tmp_path, engine).ran == 0


def test_equal_runs_are_made_once(engine: DaskEngine, tmp_path: Path) -> None:
    axes = [
        {"vary": "tunable", "scheduler": "ule", "id": "stealThresh", "values": [1, 2, 3]},
        {"vary": "count", "values": [4, 17, 6_000]},
        {"vary": "path", "id": "/end/atNs", "values": [MS]},
    ]
    space = Space("s0-v890", axes, ["migrations"])
    summary = run(space, tmp_path, engine)
    # Two counts that can be run: one row of 4BSD each, three of ULE; the third is refused in each of its six lanes.
    assert (summary.rows, summary.ran, summary.reused) == (18, 14, 4)
    assert summary.statuses == {"ok": 12, "invalid": 6}
    assert whole(tmp_path).equals(pa.table(space.rows()))
    assert run(space, tmp_path, engine).ran == 0


def test_each_point_is_in_one_part_even_if_two_sessions_met(engine: DaskEngine, tmp_path: Path) -> None:
    space = short(100)
    run(space, tmp_path, engine)
    store = Store(tmp_path)
    entry = store.latest()
    for first, last in [(10, 35), (40, 41), (90, 100)]:
        store.write(entry.id, part_name(first, last), pa.table(space.rows(first, last)))
    assert run(space, tmp_path, engine).rows == 100
    assert whole(tmp_path).equals(pa.table(space.rows()))


def test_rows_are_put_into_few_files_and_verified(engine: DaskEngine, tmp_path: Path) -> None:
    space = short(300)
    run(space, tmp_path, engine)
    before = whole(tmp_path)
    assert campaign.compact(tmp_path) == 1
    assert whole(tmp_path).equals(before)
    assert run(space, tmp_path, engine).ran == 0
    assert campaign.verify(tmp_path, 0.1) == campaign.Verified(30, [])
    store = Store(tmp_path)
    (file,) = store.files(store.latest())
    rows = pq.read_table(file)
    forged = rows.set_column(rows.schema.get_field_index("digest"), "digest", pa.array(["0" * 16] * 300))
    pq.write_table(forged, file)
    found = campaign.verify(tmp_path, 0.01)
    assert found.checked == len(found.different) == 3


def test_an_estimate_is_made_from_some_points() -> None:
    estimate = campaign.estimate(short(1_000), workers=2, sample=10)
    assert (estimate.points, estimate.rows) == (1_000, 1_000)
    assert estimate.seconds > 0


def test_a_wrong_argument_is_named_before_anything_begins(tmp_path: Path) -> None:
    space, out = short(1), tmp_path / "out"
    for message, call in [
        ("batch_seconds: must be a number from 0.001 to 86400, got 0", lambda: campaign.run(space, out, batch_seconds=0)),
        ("share: must be a number from 0 to 1, got 7", lambda: campaign.verify(out, 7)),
        ("workers: must be a whole number from 1 to 1024, got 0", lambda: DaskEngine(workers=0)),
        ("sample: must be a whole number from 1 to 1000000, got 0", lambda: campaign.estimate(space, sample=0)),
    ]:
        with pytest.raises(ScenarioError, match=message):
            call()
    with pytest.raises(TypeError, match="A campaign runs the points of a Space; not 's0-v890'"):
        campaign.run("s0-v890", out)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="engine: an address, a distributed.Client or an Engine; not 3"):
        campaign.run(space, out, 3)  # type: ignore[arg-type]
    assert not out.exists()


def test_a_folder_without_a_campaign_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no campaign"):
        campaign.open(tmp_path)
