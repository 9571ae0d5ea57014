"""The result of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from typing import Any

from . import _core
from ._core import Table
from .errors import ScenarioError
from .inputs import told_by_path, whole


class Report(Mapping[str, Any]):
    """The result of one scheduler's run: attributes, columns, and all of it by the keys of ``timeslice run --json``.

    Times are ns of simulated time, work is ns at full speed.
    """

    def __init__(
        self, core: _core.Report, text: str, lane: int, until_ns: int | None, from_ns: int
    ) -> None:
        self._core = core
        self._run = (text, lane, until_ns, from_ns)
        self.scenario: str = core.scenario
        """Name of the scenario."""
        self.machine: str = core.machine
        """Id of the machine."""
        self.scheduler: str = core.scheduler
        """Id of the scheduler."""
        self.era: str = core.era
        """Id of its era."""
        self.seed: int = core.seed
        """Seed of the run."""
        self.elapsed_ns: int = core.elapsed_ns
        """Simulated time, in ns."""
        self.events: int = core.events
        """Events that the simulator handled."""
        self.digest: str = core.digest
        """Digest of the run, 16 hexadecimal digits: equal runs have equal ones, on every machine."""
        self.fault: str | None = core.fault
        """What the scheduler did wrong, if that ended the run."""

    @cached_property
    def _whole(self) -> dict[str, Any]:
        return dict(json.loads(self._core.json()))

    @property
    def metrics(self) -> dict[str, float]:
        """Measures of the whole run by their ids; ``catalog()["metrics"]`` has units and meanings."""
        return dict(self._whole["metrics"])

    @property
    def notices(self) -> list[str]:
        """Slices that threads ask for and that change nothing, or less than one might think: a sentence for each group."""
        return [f"slice of {hint['group']}: {hint['text']}" for hint in self._whole["sliceHints"]]

    @property
    def counters(self) -> dict[str, int]:
        """What the scheduler itself counted."""
        return dict(self._whole["counters"])

    @cached_property
    def threads(self) -> Table:
        """A row for each thread: name, group, background, nice, times in ns, counts, ``byCauseNs/…``."""
        return self._core.threads()

    @cached_property
    def groups(self) -> Table:
        """A row for each group of threads."""
        return self._core.groups()

    @cached_property
    def cpus(self) -> Table:
        """A row for each CPU: busy, idle and overhead, in ns."""
        return self._core.cpus()

    def measure(self, expression: str, from_ns: int | None = None) -> Any:
        """The value of an expression over this run, which is made again for it; ``lane`` means this run's.

        Without ``from_ns`` it leaves out the warm-up that the run left out. Times are ns, shares are parts of one; None if the run has no such value: ``p(latencies(lane, typist), 99)``.
        """
        text, lane, until, warm_up = self._run
        since = warm_up if from_ns is None else whole("from_ns", from_ns, 0)
        with told_by_path(text):
            return json.loads(_core.measure(text, [expression], since, until, lane))[0]

    def distribution(self, expression: str, from_ns: int | None = None) -> list[float]:
        """The values of an expression that gives a list, such as ``waits(lane, hog)``, in ns."""
        values = self.measure(expression, from_ns)
        if isinstance(values, list):
            return values
        raise ScenarioError([("measure", f"{expression}: expected a list such as waits(lane, all)")])

    def __getitem__(self, key: str) -> Any:
        return self._whole[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole)

    def __len__(self) -> int:
        return len(self._whole)

    def __repr__(self) -> str:
        return (
            f"Report({self.scheduler} {self.era} on {self.machine}, {self.elapsed_ns} ns, {self.digest})"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the run, and its measures."""
        rows = "".join(f"<tr><th>{name}</th><td>{value:.6g}</td></tr>" for name, value in self.metrics.items())
        equal = ", ".join(self["applications"])
        shares = f"<p>applications with equal shares: {escape(equal)}</p>" if equal else ""
        hints = "".join(f"<p>{escape(hint)}</p>" for hint in self.notices)
        fault = f"<p>{escape(self.fault)}</p>" if self.fault else ""
        about = escape(f"{self.scenario}: {self.scheduler} {self.era} on {self.machine}")
        return f"<table><caption>{about}</caption>{rows}</table>{shares}{hints}{fault}<p>digest {self.digest}</p>"
