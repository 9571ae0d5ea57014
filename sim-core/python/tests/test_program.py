"""The program that the package brings is the one of the same build."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "timeslice"]


def called(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *arguments], capture_output=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "bfs-smt", "--json"),
        ("--help",),
        ("completions", "bash"),
        ("catalog", "schedulers"),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_it_says_what_the_command_line_says(
    arguments: tuple[str, ...], cli: Callable[..., bytes]
) -> None:
    ran = called(*arguments)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stdout == cli(*arguments)


def test_exit_codes_are_those_of_the_command_line() -> None:
    assert called("run", "bfs-smt", "--json").returncode == 0
    unknown = called("run", "bfs-smd")
    assert unknown.returncode == 2
    assert b"bfs-smt" in unknown.stderr
    assert called("nonsense").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="its key is no signal of a process")
def test_control_c_ends_it_at_once() -> None:
    long = ["sweep", "bfs-smt", "--axis", "seed=1..10000", "--format", "csv"]
    with subprocess.Popen([*PROGRAM, *long], stdout=subprocess.PIPE) as process:
        # The heading, and the first run.
        assert process.stdout is not None
        assert process.stdout.readline() and process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == -signal.SIGINT


@pytest.mark.skipif(sys.platform != "linux", reason="threads run for real under Linux only")
def test_it_starts_itself_again_for_threads_of_this_machine(tmp_path: Path) -> None:
    scenario = {
        "version": 2,
        "name": "pair",
        "machine": "r3900x",
        "schedulers": [{"id": "eevdf"}],
        "groups": [{"name": "hog", "count": 2, "behaviour": {"kind": "compute"}}],
        "end": {"atNs": 1_000_000_000},
    }
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(scenario))
    ran = called("real", str(file), "--repeat", "1", "--seconds", "0.3", "--json")
    if b"this machine:" in ran.stderr:
        pytest.skip("a sandbox may refuse affinity or attributes")
    assert ran.returncode == 0, ran.stderr.decode()
    assert json.loads(ran.stdout)["repeats"] == 1
