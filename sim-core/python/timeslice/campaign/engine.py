"""Who carries batches out: Dask, on this machine or a cluster. Another engine is four methods."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import cloudpickle
import distributed
from distributed.deploy.subprocess import SubprocessWorker


START = 60
"""Seconds in which a worker of this machine must be ready."""


class WorkerLost(RuntimeError):
    """The process that carried something out ended, as often as the engine tries it."""


class Engine(Protocol):
    """What a campaign asks of an engine."""

    @property
    def workers(self) -> int:
        """How many batches are carried out at a time."""

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Has a function called by a worker; gives a handle."""

    def wait(self) -> Sequence[Any]:
        """Handles that are done, as soon as there is one."""

    def result(self, handle: Any) -> Any:
        """What the function returned or raised; ``WorkerLost`` if its worker ended."""

    def cancel(self, handles: Iterable[Any]) -> None:
        """Gives up what is not done."""


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Program(SubprocessWorker):  # type: ignore[misc]  # its package has no types
    """A worker that is a program of its own, and is started again when it ends.

    A nanny does that as well, but is one more program for each worker, which takes as long to start as the worker does.
    """

    PAUSE = 0.1
    """Seconds before the next one: a program that cannot start at all must not take the whole processor."""
    GRACE = 0.5
    """Seconds to take leave of the scheduler."""

    _again: asyncio.Task[None]

    async def _start(self) -> None:
        await super()._start()
        self._again = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        if self.process:
            await self.process.wait()
        await asyncio.sleep(self.PAUSE)
        await self._start()

    async def close(self) -> None:
        self._again.cancel()
        if self.process and self.process.returncode is None:
            self.process.terminate()
            with suppress(TimeoutError, asyncio.TimeoutError):
                await asyncio.wait_for(self.process.wait(), self.GRACE)
        await super().close()


def _local(workers: int) -> distributed.SpecCluster:
    """Workers on this machine, and a scheduler in this process, which has loaded already what tasks are made of."""
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
        "cls": _Program,
        "options": {"worker_class": "distributed.Worker", "worker_kwargs": options},
    }
    scheduler = {
        "cls": distributed.Scheduler,
        # A batch whose worker ends is cut up by the session; to try it elsewhere as it is would be in vain.
        "options": {**common, "port": 0, "allowed_failures": 0},
    }
    return distributed.SpecCluster(
        workers={number: worker for number in range(workers)},
        scheduler=scheduler,
        worker=worker,
        silence_logs=50,
    )


def _caller() -> Callable[[bytes], Any]:
    """Calls a function that was written down. The scheduler reads what it hands out: this travels as code and the rest as
    bytes, so it neither loads this package nor needs it."""

    def call(written: bytes) -> Any:
        import pickle

        work, arguments = pickle.loads(written)
        return work(*arguments)

    return call


class DaskEngine:
    """Dask: processes of this machine (``None``), a scheduler's address, or a ``distributed.Client``.

    Processes of this machine end with the engine. They are started as programs of their own, so a script needs no
    ``if __name__ == "__main__"``.
    """

    def __init__(
        self, where: distributed.Client | str | None = None, workers: int | None = None
    ) -> None:
        self._cluster: Any = None
        self._own = not isinstance(where, distributed.Client)
        if where is None:
            self._cluster = _local(workers or _cores())
        client = self._cluster if where is None else where
        if not isinstance(client, distributed.Client):
            client = distributed.Client(client)
        self.client: distributed.Client = client
        """The client, for whoever wants to see more of the cluster."""
        try:
            # A cluster may have to wait for its machines.
            self.client.wait_for_workers(1, timeout=None if where else START)
        except (TimeoutError, asyncio.TimeoutError) as error:
            self.close()
            raise RuntimeError(f"no worker was ready within {START} s; above is what they wrote") from error
        self._threads, self._asked_at = 1, -math.inf
        self._done = distributed.as_completed()

    @property
    def workers(self) -> int:
        """Threads of all workers that were there a second ago at most: a list of all workers is a long message."""
        now = time.monotonic()
        if now >= self._asked_at + 1:
            threads: dict[str, int] = self.client.nthreads()
            self._threads, self._asked_at = max(1, sum(threads.values())), now
        return self._threads

    def submit(self, work: Callable[..., Any], *arguments: Any) -> distributed.Future:
        """Has a function called by a worker."""
        written = cloudpickle.dumps((work, arguments))
        future = self.client.submit(_caller(), written, pure=False)
        self._done.add(future)
        return future

    def wait(self) -> list[distributed.Future]:
        """Futures that are done, as soon as there is one."""
        return list(self._done.next_batch(block=True))

    def result(self, handle: distributed.Future) -> Any:
        """What a worker returned or raised."""
        try:
            return handle.result()
        except distributed.scheduler.KilledWorker as error:
            raise WorkerLost(str(error)) from error

    def cancel(self, handles: Iterable[distributed.Future]) -> None:
        """Gives up what is not done; a batch that is under way is finished."""
        given_up = list(handles)
        if given_up:
            self.client.cancel(given_up, force=True)
            # What was given up counts as done here; nobody waits for it any more.
            self._done = distributed.as_completed()

    def close(self) -> None:
        """Ends what it started."""
        if self._own:
            self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
