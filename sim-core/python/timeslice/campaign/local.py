"""A Dask cluster on this machine, for one campaign: it starts quickly, ends with the session, and leaves the processor to the
runs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress

import distributed
from distributed.deploy.subprocess import SubprocessWorker


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Program(SubprocessWorker):  # type: ignore[misc]  # its package has no types
    """A worker that is a program of its own, and is started again when it ends.

    A nanny does that as well, but is one more program for each worker, which takes as long to start as the worker does.
    """

    PAUSE = 0.1
    """Seconds before the next one: a program that cannot start at all must not take the whole processor."""
    GRACE = 0.5
    """Seconds to take leave of the scheduler."""

    _again: asyncio.Task[None] | None = None

    async def _start(self) -> None:
        worker = {"cls": self.worker_class, "opts": self.worker_kwargs}
        command = [sys.executable, "-m", "dask", "spec", self.scheduler, "--spec", json.dumps(worker)]
        # A worker would stop a hundred times a second to see which function it is in.
        env = {**os.environ, "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
        self.process = await asyncio.create_subprocess_exec(*command, env=env)
        self._again = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        if self.process:
            await self.process.wait()
        await asyncio.sleep(self.PAUSE)
        await self._start()

    async def close(self) -> None:
        if self._again:
            self._again.cancel()
        if self.process and self.process.returncode is None:
            self.process.terminate()
            with suppress(TimeoutError, asyncio.TimeoutError):
                await asyncio.wait_for(self.process.wait(), self.GRACE)
        await super().close()


def cluster(workers: int | None = None) -> distributed.SpecCluster:
    """So many workers, or one for each core; and a scheduler in this process, which has loaded already what tasks are made
    of."""
    # Without a dashboard there is still a page about the process; the usual port of it may be taken.
    common = {"host": "127.0.0.1", "dashboard": False, "dashboard_address": "127.0.0.1:0"}
    options = {
        **common,
        "nthreads": 1,
        "memory_limit": 0,
        "silence_logs": 50,
        # Loaded while the workers start, not within the first batch.
        "preload": "timeslice.campaign.work",
    }
    worker = {
        "cls": Program,
        "options": {"worker_class": "distributed.Worker", "worker_kwargs": options},
    }
    scheduler = {
        "cls": distributed.Scheduler,
        # A batch whose worker ends is cut up by the session; to try it elsewhere as it is would be in vain.
        "options": {**common, "port": 0, "allowed_failures": 0},
    }
    return distributed.SpecCluster(
        workers={number: worker for number in range(workers or cores())},
        scheduler=scheduler,
        worker=worker,
        silence_logs=50,
    )
