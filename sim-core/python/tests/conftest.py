"""What the tests share: the command line of the same build, short spaces, and one engine for all campaigns."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import timeslice
from timeslice import Space, campaign

MS = 1_000_000


@pytest.fixture(scope="session")
def cli() -> Callable[..., bytes]:
    """Runs ``timeslice`` with arguments and gives what it prints."""
    program = os.environ["TIMESLICE_CLI"]

    def run(*arguments: str) -> bytes:
        ran = subprocess.run([program, *arguments], capture_output=True)
        # 1 is the answer that a claim does not hold.
        assert ran.returncode in (0, 1), ran.stderr.decode()
        return ran.stdout

    return run


def short(count: int, end_ns: int = MS, **changes: Any) -> Space:
    """A space of so many points whose runs are short."""
    base = timeslice.scenario("bfs-smt")
    base["schedulers"] = [{"id": "bfs"}]
    base["end"] = {"atNs": end_ns}
    base.update(changes)
    axes = [{"vary": "seed", "values": list(range(count))}]
    return Space(base, axes, ["throughput", "migrations"], name="short")


@pytest.fixture(scope="session")
def engine() -> Iterator[campaign.DaskEngine]:
    """Two workers of this machine, for all campaigns."""
    with campaign.DaskEngine(workers=2) as engine:
        yield engine
