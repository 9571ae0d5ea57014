"""Inputs on their way to the core: dictionaries become texts, and what is wrong with a text is told by path.

The core reads JSON and tells lines and columns of it. Who gave a dictionary has never seen that text.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .errors import ScenarioError

_PLACE = re.compile(r"(?P<base>base\.)?line (?P<line>\d+), column (?P<column>\d+)")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[][{},:]|[^][{},:"\s]+')
_KINDS = [(re.compile(r"expected [iu](8|16|32|64|size)\b"), "expected a whole number")]
_KINDS += [(re.compile(r"expected f64\b"), "expected a number"), (re.compile(r" at line \d+ column \d+$"), "")]


def _plain(value: Any) -> Any:
    """What JSON does not know as plain data: numbers and arrays of NumPy, columns, ranges."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{value!r} is no value of a scenario: a {type(value).__name__}")


def text_from(value: object) -> str:
    """Plain data as JSON."""
    return json.dumps(value, default=_plain)


def _path(text: str, line: int, column: int) -> str:
    """What stands at a place of a JSON text, as ``groups[0].nice``. Columns are bytes from 1, up to what was read last."""
    written = text.encode()
    end = column + sum(len(row) + 1 for row in written.split(b"\n")[: line - 1])
    # Of each list that is open the index, of each object the key.
    open_now: list[int | str | None] = []
    for token in _TOKEN.finditer(written):
        if token.start() >= end:
            break
        what = token[0]
        if what in (b"{", b"["):
            if token.end() >= end:
                break
            open_now.append(None if what == b"{" else 0)
        elif what in (b"}", b"]"):
            del open_now[-1:]
        elif what == b",":
            at = open_now[-1] if open_now else None
            open_now[-1:] = [at + 1 if isinstance(at, int) else None]
        elif what.startswith(b'"') and open_now and open_now[-1] is None:
            open_now[-1] = str(json.loads(what))
    keys = (f"[{at}]" if isinstance(at, int) else f".{at}" for at in open_now if at is not None)
    return "".join(keys).removeprefix(".")


def by_path(found: Iterable[tuple[str, str]], text: str, base: str = "") -> list[tuple[str, str]]:
    """Paths and messages of what is wrong with a text, or with the base of a sweep; in a file by line, too."""
    return [_told(path, message, text, base) for path, message in found]


@contextmanager
def told_by_path(text: str, base: str = "") -> Iterator[None]:
    """The same for what the core raises."""
    try:
        yield
    except ScenarioError as error:
        pairs = [(problem.path, problem.message) for problem in error.problems]
        raise ScenarioError(by_path(pairs, text, base)) from None


def _told(path: str, message: str, text: str, base: str) -> tuple[str, str]:
    found = _PLACE.fullmatch(path)
    if not found:
        return path, message
    source = base if found["base"] else text
    line, column = int(found["line"]), int(found["column"])
    for kind, words in _KINDS:
        message = kind.sub(words, message)
    if "\n" in source:
        message += f" (line {line}, column {column})"
    whole = ".".join(filter(None, ["base" if found["base"] else "", _path(source, line, column)]))
    return whole, message


def between(name: str, value: Any, low: float, high: float) -> float:
    """An argument that is a number within a range."""
    try:
        is_within = low <= value <= high
    except TypeError:
        is_within = False
    if not is_within:
        raise ScenarioError([(name, f"must be a number from {low:g} to {high:g}, got {value!r}")])
    return float(value)


def ids(name: str, value: Any) -> list[str]:
    """An argument that is a list of ids. One text would be taken for a list of letters."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ScenarioError([(name, f"must be a list of ids, got {value!r}")])
    return list(value)


def whole(name: str, value: Any, low: int, high: int = 2**53 - 1) -> int:
    """An argument that is a whole number within a range; ``1e9`` is one, too."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise ScenarioError([(name, f"must be a whole number from {low} to {high}, got {value!r}")])
    return number
