"""Traces of real machines: what their threads did, the workload behind it, and what rules say of the kernel's choices."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _core
from ._core import Table
from .scenarios import Document


class RecordedTrace:
    """A trace that was read (``read_trace``). Times are ns from its beginning."""

    def __init__(self, path: str, allow_lost: bool) -> None:
        self._path, self._allow_lost = path, allow_lost
        self._trace = _core.read_trace(path, allow_lost)

    @property
    def summary(self) -> dict[str, Any]:
        """The trace in numbers, as ``timeslice import TRACE --json`` prints it. It has the names of threads."""
        told: dict[str, Any] = json.loads(self._trace.summary())
        return told

    @property
    def lane(self) -> Table:
        """What threads did and when: ``fromNs``, ``toNs``, ``pid``, ``thread``, ``cpu`` and ``state``.

        A state is ``runs``, ``waits``, ``sleeps``, ``blocked``, ``ended``, or ``unknown``, where the trace does not tell.
        """
        return self._trace.stretches()

    @property
    def bursts(self) -> Table:
        """The workload: how long each thread ran (``runNs``) between two blocks, and what came then.

        ``then`` is ``sleep``, ``device``, ``wait`` (for ``waker``), ``yield`` or ``exit``, and lasted ``thenNs``.
        """
        return self._trace.bursts()

    def scenario(self, *, keep_names: bool = False) -> Document:
        """The trace as a scenario: the recorded lane, and EEVDF 6.18 on the workload behind it.

        Names of programs are personal; they are replaced unless ``keep_names`` is set.
        """
        return Document(json.loads(self._trace.scenario(keep_names)))

    def trust(self) -> dict[str, str]:
        """How far the second lane of ``scenario()`` may be believed.

        ``trust`` is the worst of ``cpu``, ``delays``, ``switches`` and ``moves``: ``close``, ``rough``, ``notComparable``.
        """
        told: dict[str, str] = json.loads(_core.trust(self._trace.scenario(), 1))
        return told

    def replay(self, scheduler: str = "eevdf:6.18", *, threads: str | None = None) -> dict[str, Any]:
        """What a scheduler's rules say of each choice of the kernel, as ``timeslice replay TRACE --json``.

        ``picks``, ``goesOn`` and ``preempts`` count ``right``, ``near`` and ``wrong`` ones; ``disagreements`` are those that
        the rules do not make, each with its queue. The trace needs ``sched_stat_runtime``. ``threads`` is a pattern for
        names: ``*`` stands for any characters, ``?`` for one, a comma between several.
        """
        told: dict[str, Any] = json.loads(_core.replay(self._path, scheduler, threads, self._allow_lost))
        return told

    def __repr__(self) -> str:
        told = self.summary
        return f"RecordedTrace({told['format']}, {told['spanNs']} ns, {len(told['threads'])} threads)"


def read_trace(path: str | os.PathLike[str], *, allow_lost: bool = False) -> RecordedTrace:
    """Reads a trace of a real machine: ftrace or ``perf script`` text, KTR of FreeBSD.

    What the file is is seen in its beginning, never in its name. With ``allow_lost`` reading goes on where the recorder
    lost events.
    """
    return RecordedTrace(os.fspath(path), allow_lost)
