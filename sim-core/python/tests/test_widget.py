"""The stage in a cell, without a front end: what is sent to one, and what is taken over from one."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import random
import re
import zlib
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from timeslice import widget
from timeslice.page import packed, unpacked as unpacked_page
from timeslice.widget import Lab

import timeslice

PACKAGE = bytes(range(256)) * 50


def data(kind: str, content: bytes) -> bytes:
    return b"data:%s;base64,%s" % (kind.encode(), base64.b64encode(content))


def a_page(script: bytes) -> bytes:
    policy = base64.b64encode(hashlib.sha256(script).digest())
    return b"<meta content=\"script-src 'sha256-%s' 'self'\"><script type='module'>%s</script><p>Timeslice" % (policy, script)


PAGE = a_page(b"1")


@pytest.fixture(autouse=True)
def page(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A page that need not be built."""
    file = tmp_path_factory.mktemp("page") / "page.xz"
    file.write_bytes(packed(PAGE))
    monkeypatch.setattr(widget, "_kept", lambda: file)
    widget._page.cache_clear()
    yield
    widget._page.cache_clear()


class Told(Lab):
    """Remembers what it sends."""

    def __init__(self, *args: Any, **traits: Any) -> None:
        self.sent: list[tuple[dict[str, Any], list[bytes] | None]] = []
        super().__init__(*args, **traits)

    def send(self, content: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        self.sent.append((content, buffers))

    def hears(self, serial: int, **state: Any) -> None:
        """A front end tells what its page shows."""
        self.set_state({**state, "_heard": [serial, len(self.sent)]})


def small(**changes: Any) -> dict[str, Any]:
    base = timeslice.scenario("bfs-smt")
    base.update(changes)
    return base


def unpacked(fragment: str) -> dict[str, Any]:
    packed = fragment.removeprefix("z=")
    text = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
    return dict(json.loads(text))


def test_begins_with_a_link() -> None:
    shipped = Told("bfs-smt")
    assert shipped.fragment == "s.bfs-smt"
    assert shipped.scenario == timeslice.complete("bfs-smt")
    own = Told(small(name="mine"))
    assert unpacked(own.fragment) == own.scenario
    assert own.scenario["name"] == "mine"
    assert shipped.sent == own.sent == []


def test_what_is_set_is_opened() -> None:
    lab = Told("bfs-smt")
    lab.scenario = small(name="mine")
    lab.fragment = "https://host.example/timeslice/#bfs-smt&k=5"
    (first, _), (second, _) = lab.sent
    assert (first["kind"], first["id"]) == ("scenario", 1)
    assert json.loads(first["json"]) == timeslice.complete(small(name="mine"))
    assert second == {"kind": "open", "fragment": "bfs-smt&k=5", "id": 2}


def test_slides() -> None:
    lab = Told("bfs-smt")
    lab.step("decision", back=True)
    lab.seek(25_000_000)
    lab.play()
    lab.pause()
    assert [content for content, _ in lab.sent] == [
        {"kind": "step", "by": "decision", "back": True},
        {"kind": "seek", "atNs": 25_000_000},
        {"kind": "play"},
        {"kind": "pause"},
    ]


def test_what_is_told_is_taken_over_and_not_sent_back() -> None:
    lab = Told("bfs-smt")
    changes: list[Any] = []
    lab.observe(changes.append, "scenario")
    lab.hears(0, scenario=small(name="moved"), fragment="bfs-smt&k=3", digests=["00" * 8])
    assert (lab.scenario["name"], lab.fragment, lab.digests) == ("moved", "bfs-smt&k=3", ["00" * 8])
    assert len(changes) == 1
    assert lab.sent == []


def test_what_was_told_before_something_was_set_is_dropped() -> None:
    lab = Told("bfs-smt")
    lab.fragment = "bfs-smt&k=5"
    lab.hears(0, fragment="bfs-smt&k=3")
    assert lab.fragment == "bfs-smt&k=5"
    lab.hears(1, fragment="v=2&x=bfs-smt&k=5&t=0")
    assert lab.fragment == "v=2&x=bfs-smt&k=5&t=0"


def test_what_is_wrong_is_refused_and_changes_nothing() -> None:
    lab = Told("bfs-smt")
    before = lab.scenario
    bad = small()
    bad["groups"] = [{**bad["groups"][0], "nice": 33}]
    with pytest.raises(timeslice.ScenarioError) as caught:
        lab.scenario = bad
    assert caught.value.problems[0].path == "groups[0].nice"
    for what, value in [("fragment", ""), ("fragment", "k" * 9300), ("height", 10)]:
        with pytest.raises(Exception, match=what):
            setattr(lab, what, value)
    with pytest.raises(TypeError, match="not hight"):
        Lab("bfs-smt", hight=400)
    with pytest.raises(ValueError, match="by: must be one of event,"):
        lab.step("everything")
    with pytest.raises(ValueError, match="at_ns: must be from 0"):
        lab.seek(-1)
    assert lab.scenario == before
    assert lab.sent == []


def test_the_page_goes_as_a_message_and_is_no_state() -> None:
    lab = Told("bfs-smt")
    lab._asked(lab, {"kind": "page"}, [])
    [(content, buffers)] = lab.sent
    assert content == {"kind": "page", "key": lab._key}
    assert buffers is not None
    assert gzip.decompress(buffers[0]) == PAGE
    assert PAGE.decode() not in json.dumps(lab.get_state(), default=str)


def test_a_packed_page_is_the_page() -> None:
    font, package = random.Random(1).randbytes(2_000), gzip.compress(PACKAGE, 1, mtime=0)
    html = a_page(b"a(`%s`);b('%s')" % (data("font/woff2", font), data("application/gzip", package)))
    kept = packed(html)
    assert len(kept) < len(font) + len(PACKAGE) // 10
    made = unpacked_page(kept)
    assert packed(made) == kept
    # Its package is compressed in another way; else it is what it was, and its policy allows its script.
    (found,) = re.findall(rb"application/gzip;base64,([^']+)", made)
    assert gzip.decompress(base64.b64decode(found)) == PACKAGE
    assert made == a_page(b"a(`%s`);b('%s')" % (data("font/woff2", font), data("application/gzip", base64.b64decode(found))))


def test_a_page_that_would_not_run_is_not_packed() -> None:
    for html in (a_page(b"1").replace(b">1<", b">2<"), PAGE + b"<script>2</script>", b"no page"):
        with pytest.raises(ValueError, match="the page"):
            packed(html)


def test_without_its_page_the_widget_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(widget, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match="npm run python -- --wheel"):
        widget._kept()


def test_a_page_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(widget, "find_spec", lambda name: ModuleSpec(name, None, origin="page/__init__.py"))
    monkeypatch.setattr(widget, "version", lambda name: "0.0.9")
    with pytest.raises(RuntimeError, match="timeslice-page has version 0.0.9, timeslice"):
        widget._kept()
    monkeypatch.setattr(widget, "version", lambda name: timeslice.__version__)
    assert widget._kept() == Path("page/page.xz")
