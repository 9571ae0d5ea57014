"""What can go wrong: with an input (``ScenarioError``), or in the core (``CoreError``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_RANGE = re.compile(r"\bfrom (-?[0-9.]+) to (-?[0-9.]+)")


class Problem(NamedTuple):
    """One thing that is wrong with an input."""

    path: str
    """Where, for example ``groups[0].nice``; empty for the whole."""
    message: str
    """What is wrong, with the values that are allowed."""
    low: float | None
    """Smallest number that is allowed, where there is a range; in the unit of the field."""
    high: float | None
    """Largest number that is allowed, where there is a range."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def problems(pairs: Iterable[tuple[str, str]]) -> list[Problem]:
    """Problems from paths and messages; a message tells a range as ``from A to B``."""
    found = []
    for path, message in pairs:
        numbers = _RANGE.search(message)
        low, high = map(float, numbers.groups()) if numbers else (None, None)
        found.append(Problem(path, message, low, high))
    return found


class ScenarioError(ValueError):
    """An input that cannot be run: a scenario, a sweep, or an argument."""

    problems: list[Problem]
    """All that is wrong, in the order of the input."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__(pairs)
        self.problems = problems(pairs)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class CoreError(RuntimeError):
    """A fault of the core, in its words. Other runs are not concerned."""


class PolicyError(ValueError):
    """What is wrong in a policy of one's own, in a sentence: it stops the lane."""


class PolicyAttributeError(PolicyError, AttributeError):
    """The same for an attribute that a thread or a CPU does not have."""
