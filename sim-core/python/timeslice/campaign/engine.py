"""Who carries batches out: Dask, on this machine or a cluster. Another engine is four methods."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import distributed
from distributed.deploy.subprocess import SubprocessCluster


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
            self._cluster = SubprocessCluster(
                host="127.0.0.1",
                n_workers=workers or _cores(),
                threads_per_worker=1,
                # A batch whose worker ends is cut up here; to try it elsewhere as it is would be in vain.
                scheduler_kwargs={"dashboard": False, "allowed_failures": 0},
                worker_kwargs={"dashboard": False, "memory_limit": 0},
                silence_logs=50,
            )
        client = self._cluster if where is None else where
        if not isinstance(client, distributed.Client):
            client = distributed.Client(client)
        self.client: distributed.Client = client
        """The client, for whoever wants to see more of the cluster."""
        self.client.wait_for_workers(1)
        self._done = distributed.as_completed()

    @property
    def workers(self) -> int:
        """Threads of all workers that are there now."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, work: Callable[..., Any], *arguments: Any) -> distributed.Future:
        """Has a function called by a worker."""
        future = self.client.submit(work, *arguments, pure=False)
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
