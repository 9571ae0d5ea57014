"""Own policies that Python runs: the runs of the language that is built in, and what is told of a wrong one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import timeslice
from timeslice import policy

MS = 1_000_000
CORE = Path(__file__).parent.parent.parent
SCENARIOS = CORE.parent / "scenarios" / "experiments"
GOLDENS = json.loads((CORE / "tests" / "goldens-own.json").read_text())
MOST_THREADS = 100

FIRST = "def pick(cpu):\n    return cpu.waiting[0]\n"


def golden_scenario(id: str, lane: dict[str, Any]) -> dict[str, Any]:
    """A shipped scenario as the golden runs of the core's tests have it."""
    scenario = timeslice.scenario(id, guide=True)
    for part in ("opening", "answer", "controls"):
        scenario.pop(part, None)
    scenario["name"] = id
    scenario["end"]["atNs"] = min(scenario["end"]["atNs"], 2_000 * MS)
    for group in scenario["groups"]:
        group["count"] = min(group["count"], MOST_THREADS)
        params = group["behaviour"].get("params", {})
        if "threads" in params:
            params["threads"] = min(params["threads"], MOST_THREADS)
    scenario["schedulers"] = [lane]
    return dict(scenario)


@pytest.mark.parametrize("id", policy.templates())
def test_a_template_runs_as_in_the_language_that_is_built_in(id: str) -> None:
    # The golden digests are those of the built-in language, natively and in WebAssembly.
    for scenario in ("bfs-smt", "s3-nice", "s0-v890"):
        told = GOLDENS[f'{scenario} under {{"era":"{id}","id":"own"}}']["digest"]
        [by_era] = timeslice.run(golden_scenario(scenario, {"id": "own", "era": id}))
        [by_text] = timeslice.run(golden_scenario(scenario, policy.template(id).lane))
        assert (by_era.fault, by_era.digest) == (None, told), scenario
        assert by_text.digest == told, scenario


def stopped(source: str | policy.Policy, end_ns: int = 50 * MS) -> str:
    """What stops the lane of a program."""
    mine = source if isinstance(source, policy.Policy) else policy.text(source)
    [report] = timeslice.run("s3-nice", end_ns, scheduler=mine)
    assert report.fault is not None
    return report.fault


def test_errors_name_line_function_thread_and_cpu() -> None:
    divides = "thread_state('n', 0)\n\n" + FIRST + "\ndef slice(t):\n    x = 1\n    return x // t.n\n"
    assert stopped(divides) == "line 8, column 12, in `slice(first-1)`: ZeroDivisionError: integer division or modulo by zero"
    assert stopped(FIRST + "def slice(t):\n    return t.nicer\n") == (
        "line 4, column 12, in `slice(first-1)`: a thread has no `nicer`; it has `nice`"
    )
    assert stopped("def pick(cpu):\n    return None\n") == "line 1: `pick(cpu 0)` answered None, but 2 threads wait for cpu 0"
    assert stopped("def pick(cpu):\n    return [cpu]\n").endswith("answered a list, and it answers one of cpu.waiting")
    assert stopped(FIRST + "def slice(t):\n    t.nice = 3\n").endswith(
        "`nice` of a thread cannot be set: the machine says what it is"
    )
    assert stopped("state('n', 0)\n" + FIRST + "def slice(t):\n    put('n', 2 ** 64)\n").endswith(
        "`n` holds 64 bits, and 18446744073709551616 has more"
    )
    for value, kind in (("0.5", "a number with a point"), ("True", "True or False"), ("'a'", "a text")):
        told = stopped(f"state('n', 0)\n{FIRST}def slice(t):\n    put('n', {value})\n")
        assert told.endswith(f"`n` holds a whole number, not {kind}")
    assert stopped(FIRST + "def slice(t):\n    fail('no', t)\n").endswith("the program says: no {task 0}".replace("{task 0}", "first-1"))


def test_a_wrong_program_is_told_before_the_run() -> None:
    for source, told in [
        ("def pik(cpu):\n    pass\n", "line 1, column 1: a policy needs a function `pick(cpu)`; `pik` is close"),
        ("def pick(cpu:\n    pass\n", "line 1, column 9: '(' was never closed"),
        (FIRST + "def slice():\n    pass\n", "line 3, column 1: `slice` is called as slice(t)"),
        (FIRST + "slice = 3\n", "line 3, column 1: `slice` is a function of a policy: write def slice(…)"),
        (FIRST + "HZ = 0\n", "line 3, column 1: `HZ` is from 1 to 10000 ticks a second, not 0"),
        (FIRST + "HZ = 100\n", "line 3, column 1: `HZ` does nothing without a function `tick`"),
        ("thread_state('nice', 0)\n" + FIRST, "line 1, column 1: a thread has a `nice` already: take another name"),
        ("x = now()\n" + FIRST, "line 1, column 5: `now` has no answer before the run: call it in a function"),
    ]:
        with pytest.raises(timeslice.ScenarioError) as error:
            policy.text(source)
        assert str(error.value) == f"policy.py: {told}"


def test_a_scenario_alone_runs_no_python() -> None:
    """A scenario from elsewhere brings a text; Python runs it only for who has loaded that text."""
    strange = "import os\nos.abort()\n" + FIRST
    scenario = {**timeslice.scenario("s3-nice"), "schedulers": [{"id": "own", "program": strange}]}
    # In a process of its own: the text must be unknown, and would end it.
    script = "import json, sys, timeslice\nprint(timeslice.check(json.load(sys.stdin))[0])"
    ran = subprocess.run([sys.executable, "-c", script], input=json.dumps(scenario).encode(), capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    # A build that has the other language tells what that says of the text.
    told = ran.stdout.decode()
    assert "load it with timeslice.policy first" in told or "a program imports nothing" in told


class Bursts:
    """What only Python has: a class, a loop, and a number of its own."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.picks = 0
        policy.thread_state("turns", 0)

    def pick(self, cpu: policy.Cpu) -> policy.Thread:
        best, *others = cpu.waiting
        while others:
            other = others.pop()
            best = min(best, other, key=lambda t: t.turns)
        best.turns += 1
        self.picks += 1
        return best

    def slice(self, t: policy.Thread) -> int:
        return self.turn


def test_an_object_is_a_policy_and_is_made_anew_for_each_lane() -> None:
    mine = policy.of(Bursts, turn=5 * policy.ms)
    first, second = (timeslice.run("s3-nice", 500 * MS, scheduler=mine)[0] for _ in range(2))
    assert first.fault is None
    assert first.digest == second.digest
    other = policy.of(Bursts, turn=6 * policy.ms)
    assert timeslice.run("s3-nice", 500 * MS, scheduler=other)[0].digest != first.digest
    assert mine.runs_in == "Python"


def test_the_interrupt_key_ends_a_program_without_end() -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    endless = policy.text("def pick(cpu):\n    while True:\n        pass\n")
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        timeslice.run("s3-nice", 100 * MS, scheduler=endless)
    assert timeslice.run("s3-nice", 100 * MS, scheduler=policy.text(FIRST))[0].fault is None


def test_a_policy_is_swept_with_its_numbers_on_several_threads() -> None:
    turns = policy.template("roundRobin")
    lanes = [[turns.with_(TURN=turn * MS).lane] for turn in (1, 10, 100)]
    axes = [{"set": "lanes", "values": lanes}, {"set": "seed", "values": [1, 2]}]
    base = {**timeslice.scenario("bfs-smt"), "end": {"atNs": 300 * MS}}
    rows = timeslice.sweep(base, axes, ["switches"], jobs=2)
    assert set(rows["status"]) == {"ok"}
    assert rows["digest"] == timeslice.sweep(base, axes, ["switches"], jobs=1)["digest"]
    assert len(set(rows["digest"])) == 6
    with pytest.raises(policy.PolicyError, match="sets no `TURNS` once"):
        turns.with_(TURNS=1)


def test_a_file_is_loaded_with_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "mine.policy.py"
    file.write_text("import math\n" + FIRST + "def slice(t):\n    return math.nothing\n")
    mine = policy.load(file)
    assert repr(mine) == "Policy(mine.policy.py, runs in Python)"
    assert stopped(mine).startswith("line 5, column 12, in `slice(first-1)`: AttributeError: module 'math'")


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("def f():\n    while True:\n        pass\n", ["line 4, column 5: `while`"]),
        ("import math\nx = math.pi\n", ["line 3, column 1: `import`"]),
        ("x = 1 < 2 < 3\n", ["line 3, column 5: two comparisons in one: write `and`"]),
        ("x = sum(a for a in [1])\n", ["line 3, column 8: a generator: write a list in brackets"]),
        ("def f(x):\n    return x is None\n", ["line 4, column 12: `is`: write `==`"]),
        ("x = 2 ** 3\n", ["line 3, column 5: `**`"]),
        ("x = open\n", ["line 3, column 5: `open`"]),
        ("class A:\n    pass\n", ["line 3, column 1: a class"]),
        ("x = [min(a, 3) for a in [1, 2]]\ny = 'a' if x else {1: 2}\n", []),
    ],
)
def test_what_only_python_has_is_named_with_its_line(source: str, what: list[str]) -> None:
    assert [str(beyond) for beyond in policy.text(FIRST + source).beyond] == what


def test_a_template_runs_everywhere() -> None:
    assert {policy.template(id).runs_in for id in policy.templates()} == {"everywhere"}


@pytest.mark.skipif(not os.environ.get("TIMESLICE_POLICIES"), reason="the command line of this build has no own policies")
def test_what_is_said_to_run_everywhere_is_read_by_the_language_that_is_built_in(cli: Callable[..., bytes], tmp_path: Path) -> None:
    for id in policy.templates():
        file = tmp_path / f"{id}.policy.py"
        file.write_text(policy.template(id).program)
        told = json.loads(cli("run", "s3-nice", "--scheduler", "own", "--policy", str(file), "--until", "40s", "--json"))
        [report] = timeslice.run("s3-nice", 40_000 * MS, scheduler=policy.load(file))
        assert report.digest == told[0]["digest"], id
