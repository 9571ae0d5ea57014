"""Runs, and studies of many: sweeps, traces, decisions, published claims."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._core import Records, Table
from .errors import ScenarioError
from .inputs import ids, text_from, told_by_path, whole
from .policy import Policy
from .report import Report
from .scenarios import Scenario, changed, only, text_of

MAX_EVENTS = 10**10
"""As many events end a run: some hours of computing. It is no time, so that it is the same everywhere."""

Axis = Mapping[str, Any]
"""An axis as a sweep's file has it: ``{"set": "seed", "values": [1, 2, 3]}``."""


def _time(name: str, ns: int | None) -> int | None:
    """A simulated time, where one is named."""
    return None if ns is None else whole(name, ns, 0)


def _threads(jobs: int | None) -> int | None:
    """How many threads, where that is named."""
    return None if jobs is None else whole("jobs", jobs, 1, 1024)


def _only(scenario: Scenario, scheduler: str | Policy) -> Scenario:
    """A scenario with one scheduler."""
    if isinstance(scheduler, Policy):
        return changed(scenario, {"lanes": [scheduler.lane]})
    return only(scenario, scheduler)


def run(
    scenario: Scenario,
    until_ns: int | None = None,
    *,
    from_ns: int = 0,
    seed: int | None = None,
    scheduler: str | Policy | None = None,
    set: Mapping[str, Any] | None = None,
) -> list[Report]:
    """Runs every scheduler of a scenario to its end, or up to a simulated time in ns.

    ``from_ns`` leaves a warm-up out of all that is measured. ``scheduler`` runs one alone: the scenario's lanes of it, or,
    if it has none, one with its defaults; or a policy of your own. ``set`` changes properties of the scenario by their paths before the run:
    ``{"groups.hog.nice": 5}``.

    Raises ``ScenarioError`` with path and allowed range of everything that is wrong. The interrupt key stops at once.

    >>> import timeslice
    >>> [report] = timeslice.run("bfs-smt", until_ns=10**8, from_ns=10**7, seed=7, scheduler="bfs")
    >>> report.seed, report["fromNs"]
    (7, 10000000)
    """
    sets = dict(set or {}) if seed is None else {**(set or {}), "seed": seed}
    chosen = changed(scenario, sets) if sets else scenario
    text = text_of(chosen if scheduler is None else _only(chosen, scheduler))
    since, until = whole("from_ns", from_ns, 0), _time("until_ns", until_ns)
    with told_by_path(text):
        reports = _core.run(text, until, since)
    return [Report(report, text, lane, until, since) for lane, report in enumerate(reports)]


def measure(
    scenario: Scenario, expression: str, from_ns: int = 0, until_ns: int | None = None
) -> Any:
    """The value of an expression over a scenario's runs: the language of ``timeslice run --measure``.

    Times are ns, shares are parts of one, a distribution is a list; None if the run has no such value. Lanes count from 1.
    Windows whose start is left out begin at ``from_ns``.

    >>> import timeslice
    >>> timeslice.measure("s3-nice", "length(turns(1, first))", until_ns=10**9)
    5
    """
    text, since, until = text_of(scenario), whole("from_ns", from_ns, 0), _time("until_ns", until_ns)
    with told_by_path(text):
        return json.loads(_core.measure(text, [expression], since, until))[0]


def trace(scenario: Scenario, lane: int = 0, until_ns: int | None = None) -> Records:
    """What happened under one scheduler (``lane``, from 0): a row for each record, simulated while it is read.

    Columns as in ``timeslice trace --format csv``: ``seq``, ``atNs``, ``kind``, ``cpu``, ``task``, ``other``, ``reason``,
    and the numbers of the decisions behind it. Memory is constant; the rows are read once, whole
    (``polars.DataFrame(records)``) or in batches (``for table in records``).
    """
    text, until = text_of(scenario), _time("until_ns", until_ns)
    with told_by_path(text):
        return _core.trace(text, whole("lane", lane, 0), until)


def decisions(
    scenario: Scenario,
    lane: int = 0,
    from_ns: int = 0,
    until_ns: int | None = None,
    *,
    thread: str | None = None,
    cpu: int | None = None,
    reason: str | None = None,
    full: bool = False,
) -> Records:
    """Why it happened: a row for each decision of one scheduler, in the words of the page, with kernel function and release.

    ``thread`` (a name), ``cpu`` (a number) and ``reason`` (its id, or a kind such as ``pickNext``) leave out all others;
    ``full`` fills the column ``considered`` with what lost. ``operands`` is JSON: name, value and unit of each number.
    """
    text, since, until = text_of(scenario), whole("from_ns", from_ns, 0), _time("until_ns", until_ns)
    at = None if cpu is None else whole("cpu", cpu, 0)
    with told_by_path(text):
        return _core.decisions(text, whole("lane", lane, 0), since, until, thread, at, reason, full)


def _sweep(file: Path) -> dict[str, Any]:
    """What a file of a sweep has, by its keys."""
    try:
        sweep = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ScenarioError([(str(file), f"is no JSON: {error}")]) from None
    keys = ("name", "base", "axes", "metrics", "from")
    if not isinstance(sweep, dict):
        raise ScenarioError([(str(file), f"must be an object with {', '.join(keys)}")])
    unknown = [(key, f"must be one of {', '.join(keys)}") for key in sweep if key not in keys]
    missing = [(key, "is missing") for key in keys[:2] if key not in sweep]
    if unknown or missing:
        raise ScenarioError(unknown + missing)
    return sweep


class Space:
    """The points of a sweep: a scenario, varied along axes. Every combination of values is a point.

    ``axes`` and ``measures`` are those of ``timeslice sweep``, see ``docs/sweeps.md``; the first axis varies slowest. A run
    that comes to ``max_events`` events ends there and has the status ``limit``. ``from_ns`` leaves a warm-up out of all
    measures: a number of ns, or a text such as ``"2s"``.
    """

    def __init__(
        self,
        base: Scenario,
        axes: Sequence[Axis] = (),
        measures: Sequence[str] = (),
        *,
        max_events: int = MAX_EVENTS,
        name: str = "",
        from_ns: int | str = 0,
    ) -> None:
        self.name = name
        self.from_ns = from_ns
        self.max_events = whole("max_events", max_events, 1)
        self.axes: list[dict[str, Any]] = json.loads(text_from(axes))
        self._asked = ids("measures", measures)
        self.base: dict[str, Any] = json.loads(text_of(base))
        sweep: dict[str, Any] = {"name": name, "base": "", "axes": self.axes, "metrics": self._asked}
        if from_ns:
            sweep["from"] = from_ns
        text, base_text = json.dumps(sweep), json.dumps(self.base)
        with told_by_path(text, base_text):
            self._core = _core.Space(text, base_text)

    @classmethod
    def read(cls, file: str | os.PathLike[str], *, max_events: int = MAX_EVENTS) -> Space:
        """The sweep of a file as ``timeslice sweep`` reads it; its base may be a file beside it.

        Raises ``ScenarioError`` with what is wrong in it.
        """
        path = Path(file)
        sweep = _sweep(path)
        base = sweep["base"]
        if isinstance(base, str) and (path.parent / base).is_file():
            base = path.parent / base
        return cls(
            base,
            sweep.get("axes", ()),
            sweep.get("metrics", ()),
            max_events=max_events,
            name=sweep["name"],
            from_ns=sweep.get("from", 0),
        )

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Space:
        """What ``to_dict`` gave."""
        return cls(
            written["base"],
            written["axes"],
            written["metrics"],
            max_events=written["maxEvents"],
            name=written["name"],
            from_ns=written.get("from", 0),
        )

    def to_dict(self) -> dict[str, Any]:
        """The space as plain data, its base written out."""
        whole = {
            "name": self.name,
            "base": self.base,
            "axes": self.axes,
            "metrics": self._asked,
            "maxEvents": self.max_events,
        }
        return {**whole, "from": self.from_ns} if self.from_ns else whole

    def __len__(self) -> int:
        return self._core.points

    @property
    def headings(self) -> list[str]:
        """Headings of the axes' columns, in their order."""
        return self._core.headings

    @property
    def measures(self) -> list[str]:
        """Ids of the measures, in their order."""
        return self._core.measures

    def scenario(self, point: int) -> dict[str, Any]:
        """The scenario of a point, by its number from 0; ``ScenarioError`` if it cannot be run."""
        return dict(json.loads(self._core.scenario(whole("point", point, 0, len(self) - 1))))

    def keys(self, first: int = 0, last: int | None = None, *, jobs: int | None = None) -> Table:
        """Point, lane and key of each run: equal keys are the same run."""
        return self._core.keys(*self._range(first, last), _threads(jobs))

    def rows(
        self,
        first: int = 0,
        last: int | None = None,
        *,
        jobs: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Table:
        """Runs the points from number ``first`` up to ``last``, ``last`` not included, on ``jobs`` threads.

        ``progress`` is called now and then with the number of points that are done.
        """
        begin, end = self._range(first, last)
        return self._core.run(begin, end, self.max_events, _threads(jobs), progress)

    def run_lanes(self, lanes: Sequence[tuple[int, int]], *, jobs: int | None = None) -> Table:
        """Runs single lanes, each named by the numbers of its point and itself."""
        return self._core.run_lanes(list(lanes), self.max_events, _threads(jobs))

    def killed(self, lanes: Sequence[tuple[int, int]], message: str) -> Table:
        """Rows of lanes that cannot be run, for they end the process."""
        return self._core.killed(list(lanes), message)

    def _range(self, first: int, last: int | None) -> tuple[int, int]:
        """Numbers of points, from one up to another."""
        begin = whole("first", first, 0, len(self))
        return begin, len(self) if last is None else whole("last", last, begin, len(self))

    def __repr__(self) -> str:
        return f"Space({len(self)} points: {', '.join(self.headings) or 'no axes'})"


def sweep(
    base: Scenario,
    axes: Sequence[Axis],
    measures: Sequence[str] = (),
    *,
    jobs: int | None = None,
    max_events: int = MAX_EVENTS,
    from_ns: int | str = 0,
    progress: Callable[[int], object] | None = None,
) -> Table:
    """A scenario, varied along axes: a row for each scheduler of each point, with the columns of ``timeslice sweep``.

    >>> import timeslice
    >>> axes = [{"set": "groups.loop.count", "values": [16, 17]}]
    >>> timeslice.sweep("s0-v890", axes, ["lastExitNs"]).columns[3:5]
    ['count', 'machine']
    """
    space = Space(base, axes, measures, max_events=max_events, from_ns=from_ns)
    return space.rows(jobs=jobs, progress=progress)


class Claim(Mapping[str, Any]):
    """A published claim, judged; by the keys of ``timeslice claims --json``."""

    def __init__(self, judged: Mapping[str, Any]) -> None:
        self._judged = judged

    @property
    def id(self) -> str:
        """Its id, for example ``W2``."""
        return str(self._judged["id"])

    @property
    def statement(self) -> str:
        """What the source says."""
        return str(self._judged["statement"])

    @property
    def verdict(self) -> str:
        """``holds``, ``fails``, ``undecided`` or ``unavailable``."""
        return str(self._judged["verdict"])

    @property
    def holds(self) -> bool:
        """Whether it holds."""
        return self.verdict == "holds"

    def __getitem__(self, key: str) -> Any:
        return self._judged[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._judged)

    def __len__(self) -> int:
        return len(self._judged)

    def __repr__(self) -> str:
        return f"Claim({self.id} {self.verdict}: {self.statement})"


class Claims(list[Claim]):
    """Claims, judged; and the published numbers in them beside what the runs gave."""

    def __init__(self, judged: Sequence[Claim], numbers: Mapping[str, Any]) -> None:
        super().__init__(judged)
        self.numbers: list[dict[str, Any]] = numbers["numbers"]
        """Each published number: source, claim, name, published, simulated, relativeError."""
        self.mean_errors: dict[str, float] = numbers["meanErrors"]
        """Mean absolute relative error by experiment."""


def claims(
    *ids: str,
    seeds: int = 5,
    seconds: int = 60,
    changes: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Claims:
    """Evaluates published claims by their ids; all, if none is named.

    ``seeds`` runs of each kind, ``seconds`` of simulated time measured in each. ``changes`` asks what if:
    ``{"ule.stealThresh": 2}`` gives all runs of ULE another value of a tunable.
    """
    altered = []
    for what, value in (changes or {}).items():
        scheduler, _, tunable = what.partition(".")
        altered.append((scheduler, tunable, text_from(value)))
    judged, numbers = _core.claims(list(ids), seeds, seconds, altered, _threads(jobs), progress)
    return Claims([Claim(claim) for claim in json.loads(judged)], json.loads(numbers))
