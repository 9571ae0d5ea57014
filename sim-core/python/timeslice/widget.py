"""The stage in a cell, for Jupyter, VS Code and marimo (extra ``widget``).

>>> from timeslice.widget import Lab
>>> lab = Lab("bfs-smt")
>>> lab                                    # in a cell: the page, with its sliders
>>> lab.scenario["edits"]                  # what was moved there while it ran is here
>>> lab.fragment = "bfs-smt&k=5&t=25"      # and what is set here is there

The page is the one that browsers show, in one file: it comes from Python, runs in the browser, and asks no other host for
anything. It has no access to the notebook; the two speak as ``docs/embedding.md`` tells.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ._core import VERSION as __version__
from .errors import ScenarioError
from .page import unpacked
from .scenarios import Scenario, check, complete

_HERE = Path(__file__).resolve().parent
_MAX_SCENARIO = 256 * 1024
_MAX_FRAGMENT = 9 * 1024
_MAX_PACKED = 8 * 1024

STEPS = (
    "event",
    "tick",
    "decision",
    "switch",
    "migration",
    "wakeup",
    "preemption",
    "sliceEnd",
    "exit",
    "steal",
    "balance",
)
"""What a step can stop after."""


def _kept() -> Path:
    """Where the page is, packed: in the package ``timeslice-page``."""
    found = find_spec("timeslice_page")
    if found is None or found.origin is None:
        raise FileNotFoundError(
            "The page is in the package timeslice-page. In a checkout, `npm run python -- --wheel` makes it: "
            "pip install dist/python/timeslice_page-*.whl"
        )
    if (other := version("timeslice-page")) != __version__:
        raise RuntimeError(f"timeslice-page has version {other}, timeslice {__version__}: install both of one version")
    return Path(found.origin).parent / "page.xz"


@cache
def _page() -> tuple[str, bytes]:
    """The page as one file, compressed, and its key."""
    kept = _kept().read_bytes()
    return hashlib.sha256(kept).hexdigest()[:16], gzip.compress(unpacked(kept), 6)


def _read(scenario: Scenario) -> dict[str, Any]:
    """A scenario with every default filled in. Raises ``ScenarioError`` with paths and allowed ranges."""
    if found := check(scenario):
        raise ScenarioError([(problem.path, problem.message) for problem in found])
    whole = complete(scenario)
    if len(_text(whole)) > _MAX_SCENARIO:
        raise ScenarioError([("", "must be at most 256 kB of JSON")])
    return whole


def _text(scenario: Mapping[str, Any]) -> str:
    return json.dumps(scenario, separators=(",", ":"))


def _link(text: str) -> str:
    """A scenario as a link; empty if it is too large for one."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).rstrip(b"=")
    return f"z={packed.decode()}" if len(packed) <= _MAX_PACKED else ""


class _Scenario(traitlets.TraitType[dict[str, Any], Any]):
    """A scenario: what the page tells is taken as it is, what is set here is read and checked first."""

    info_text = "a scenario"

    def validate(self, obj: Any, value: Any) -> dict[str, Any]:
        return value if obj._is_hearing else _read(value)


class Lab(anywidget.AnyWidget):
    """The page of Timeslice as a widget. ``scenario`` is a dictionary, the id of a shipped one, or the path of a JSON file.

    Whatever changes in the page arrives here, at most four times a second, between cells: ``lab.observe(f, "scenario")`` calls
    ``f``. Whatever is set here is opened in the page.
    """

    _esm = _HERE / "widget.js"

    scenario = _Scenario().tag(sync=True)
    """The scenario on the page with every default filled in, changes during the run (``edits``) included.

    Takes what ``timeslice.run`` takes. Raises ``ScenarioError`` with paths and allowed ranges.
    """
    fragment = traitlets.Unicode().tag(sync=True)
    """The moment on the page as a link, without what stands before the ``#``; empty where the scenario is too large for a
    link. Takes any link to the laboratory, of at most 9 kB."""
    digests = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Digest of each scheduler's run at that moment, 16 hexadecimal digits; empty while time passes."""
    problems = traitlets.List(traitlets.Dict()).tag(sync=True)
    """What the page refused last, as ``path`` and ``message``; empty if nothing."""
    height = traitlets.Int(560, min=200, max=4000).tag(sync=True)
    """Height in the notebook, in CSS pixels, from 200 to 4,000."""

    _key = traitlets.Unicode().tag(sync=True)
    """Which page this is: a front end that has it does not ask for it again."""
    _serial = traitlets.Int().tag(sync=True)
    """Number of the last scenario or link that was set here."""
    _heard: traitlets.List[int] = traitlets.List().tag(sync=True)
    """Number of the last one that the page had when it told of a change, and a count that makes each telling another."""

    def __init__(self, scenario: Scenario = "bfs-smt", **traits: Any) -> None:
        if unknown := traits.keys() - {"fragment", "height", "layout", "tooltip", "tabbable"}:
            raise TypeError(f"Lab takes scenario, fragment and height; not {', '.join(sorted(unknown))}")
        is_shipped = (
            isinstance(scenario, str) and not {"/", os.sep} & set(scenario) and not scenario.endswith(".json")
        )
        whole = _read(scenario)
        # Nobody is there yet who could be told.
        self._is_hearing = True
        fragment = f"s.{scenario}" if is_shipped else _link(_text(whole))
        super().__init__(**{"scenario": whole, "fragment": fragment, "_key": _page()[0], **traits})
        self._is_hearing = False
        self.on_msg(self._asked)

    def step(self, by: str = "migration", back: bool = False) -> None:
        """Steps to just after the next ``by`` (one of ``STEPS``), or the one before."""
        if by not in STEPS:
            raise ValueError(f"by: must be one of {', '.join(STEPS)}, not {by!r}")
        self._say({"kind": "step", "by": by, "back": bool(back)})

    def seek(self, at_ns: int) -> None:
        """Goes to a time of the run, in ns from its start; beyond its end, to its end."""
        if not 0 <= at_ns < 2**53:
            raise ValueError(f"at_ns: must be from 0 to {2**53 - 1}, not {at_ns}")
        self._say({"kind": "seek", "atNs": int(at_ns)})

    def play(self) -> None:
        """Lets time pass."""
        self._say({"kind": "play"})

    def pause(self) -> None:
        """Stops time."""
        self._say({"kind": "pause"})

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Takes over what a front end tells, unless something was set here that it had not seen yet."""
        heard = sync_data.get("_heard")
        if heard and heard[0] < self._serial:
            return
        self._is_hearing = True
        try:
            super().set_state(sync_data)
        finally:
            self._is_hearing = False

    @traitlets.validate("fragment")
    def _check_fragment(self, proposal: Mapping[str, Any]) -> str:
        fragment: str = proposal["value"]
        if self._is_hearing:
            return fragment
        fragment = fragment.rpartition("#")[2]
        if not 0 < len(fragment) <= _MAX_FRAGMENT:
            raise ValueError("fragment: must be a link to the laboratory, of at most 9 kB")
        return fragment

    @traitlets.observe("scenario")
    def _scenario_set(self, change: Mapping[str, Any]) -> None:
        if self._is_hearing:
            return
        text = _text(change["new"])
        self._forget(fragment=_link(text))
        self._open({"kind": "scenario", "json": text})

    @traitlets.observe("fragment")
    def _fragment_set(self, change: Mapping[str, Any]) -> None:
        if self._is_hearing:
            return
        self._forget()
        self._open({"kind": "open", "fragment": change["new"]})

    def _forget(self, **traits: Any) -> None:
        """What the page told of another scenario holds no longer."""
        self._is_hearing = True
        try:
            self.set_trait("digests", [])
            self.set_trait("problems", [])
            for name, value in traits.items():
                self.set_trait(name, value)
        finally:
            self._is_hearing = False

    def _open(self, message: dict[str, Any]) -> None:
        self._serial += 1
        self._say({**message, "id": self._serial})

    def _say(self, message: dict[str, Any]) -> None:
        self.send(message)

    def _asked(self, _: object, content: object, buffers: Sequence[object]) -> None:
        """A front end that has not the page yet gets it, as a message: as state it would end up in the notebook's file."""
        if isinstance(content, Mapping) and content.get("kind") == "page":
            key, page = _page()
            self.send({"kind": "page", "key": key}, [page])
