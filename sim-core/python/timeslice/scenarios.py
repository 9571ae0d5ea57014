"""Scenarios: where they come from, what is wrong with them, what there is to write into them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from . import _core
from .errors import Problem, ScenarioError, problems
from .inputs import by_path, text_from, told_by_path, whole

Scenario: TypeAlias = Mapping[str, Any] | str | os.PathLike[str]
"""A scenario as a dictionary, the id of a shipped one, or the path of a JSON file."""


class Document(dict[str, Any]):
    """A scenario as a dictionary, in which a property can also be read and set by its path.

    >>> import timeslice
    >>> quick = timeslice.scenario("bfs-smt")
    >>> quick["groups.dhry.nice"] = 5
    >>> quick["groups.dhry.nice"], quick["groups"][0]["nice"]
    (5, 5)

    Setting fills in every default, as ``changed`` does; ``None`` leaves a value out. What ``in``, ``get`` and iteration see
    is the dictionary alone.
    """

    def __getitem__(self, key: str) -> Any:
        if "." not in key:
            return super().__getitem__(key)
        text = text_from(self)
        with told_by_path(text):
            return json.loads(_core.value_at(text, key))

    def __setitem__(self, key: str, value: Any) -> None:
        if "." not in key:
            super().__setitem__(key, value)
            return
        now = changed(self, {key: value})
        self.clear()
        self.update(now)


def text_of(scenario: Scenario) -> str:
    """A scenario as JSON. A text is a path if it has a separator or ends in ``.json``, and an id otherwise."""
    if isinstance(scenario, Mapping):
        return text_from(scenario)
    if not isinstance(scenario, (str, os.PathLike)):
        raise TypeError(f"A scenario is a dictionary, the id of a shipped one, or a path; not {scenario!r}.")
    if isinstance(scenario, str) and "/" not in scenario and os.sep not in scenario:
        if not scenario.endswith(".json"):
            return _core.scenario(scenario, True)
    return Path(scenario).read_text(encoding="utf-8")


def scenario(id: str, *, guide: bool = False) -> Document:
    """A shipped scenario by its id; ``catalog()["scenarios"]`` lists them.

    ``guide`` keeps what the page shows first (question, answer, controls, opening), which must fit whatever is changed.
    """
    return Document(json.loads(_core.scenario(id, guide)))


def check(scenario: Scenario) -> list[Problem]:
    """All that is wrong with a scenario, with paths and allowed ranges; empty if it can be run."""
    text = text_of(scenario)
    return problems(by_path(_core.check(text)[0], text))


def complete(scenario: Scenario) -> Document:
    """A scenario with every default filled in, so that it means the same when a default changes.

    Raises ``ScenarioError`` if it has not the shape of a scenario; ``check`` says whether it can be run.
    """
    text = text_of(scenario)
    found, whole = _core.check(text)
    if whole is None:
        raise ScenarioError(by_path(found, text))
    return Document(json.loads(whole))


def changed(
    scenario: Scenario, set: Mapping[str, Any], *, at_ns: int | None = None
) -> Document:
    """A scenario with properties set, each by its path; ``catalog()["properties"]`` lists them.

    Values are as in a file, or texts with units. With ``at_ns`` they take effect at that simulated time of the run.

    >>> import timeslice
    >>> quick = timeslice.changed("bfs-smt", {"groups.dhry.nice": 5, "end.atNs": "20ms"})
    >>> quick["groups"][0]["nice"]
    5
    """
    text = text_of(scenario)
    at = None if at_ns is None else whole("at_ns", at_ns, 0)
    with told_by_path(text):
        return Document(json.loads(_core.changed(text, [(path, text_from(v), at) for path, v in set.items()])))


def only(scenario: Scenario, scheduler: str) -> Document:
    """A scenario with its lanes of one scheduler; if it has none, with one that has the scheduler's defaults."""
    lanes = [lane for lane in complete(scenario)["schedulers"] if lane["id"] == scheduler]
    return changed(scenario, {"lanes": lanes or [{"id": scheduler}]})


def catalog() -> dict[str, Any]:
    """What this build can do: schedulers with eras and tunables, machines, behaviours, measures, bounds, scenarios.

    The same as ``timeslice catalog --json``. Ranges and defaults have the units that stand beside them.
    """
    return dict(json.loads(_core.catalog()))


def published(id: str) -> dict[str, Any]:
    """The numbers of a published source, for example ``s3-nice``, with where they stand there."""
    return dict(json.loads(_core.published(id)))
