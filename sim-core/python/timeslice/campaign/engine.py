"""Who carries batches out: Dask, on this machine or a cluster. Another engine is four methods."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import cloudpickle
import distributed

from ..inputs import whole
from . import local

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
            self._cluster = local.cluster(None if workers is None else whole("workers", workers, 1, 1024))
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
