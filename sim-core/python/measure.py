"""What the package costs. `npm run python -- --measure` builds what is released and starts this with the paths of the command
line, of `docs/python.md`, whose table it renews, and of the wheels.

What is compared is measured in turns, several times, so that other programs on the machine hinder both alike; of the rounds
the middle one counts. Times of the processor stand beside those of the clock, for others change them less.
"""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import psutil
import timeslice
from timeslice import Space, campaign

RUNS = 2_000
ROUNDS = 3
PART = re.compile(r"(<!-- measured[^>]*-->\n).*(<!-- end of what was measured -->\n)", re.DOTALL)


@dataclass(frozen=True)
class Cost:
    """Seconds for one run, or one task."""

    clock: float
    cpu: float


def space() -> Space:
    """ULE on a Sun Fire V890 with 17 to 56 threads, to their end."""
    base = timeslice.scenario("s0-v890")
    base["schedulers"] = [{"id": "ule", "era": "2011-11"}]
    axes = [
        {"vary": "count", "group": "loop", "values": list(range(17, 57))},
        {"vary": "seed", "values": list(range(RUNS // 40))},
    ]
    return Space(base, axes, ["lastExitNs", "migrations"])


def empty() -> dict[str, object]:
    """A scenario of one lane that ends at once."""
    scenario = timeslice.scenario("bfs-smt")
    return {**scenario, "schedulers": scenario["schedulers"][:1], "end": {"atNs": 1}}


def ended() -> float:
    """Processor seconds of programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def living() -> float:
    """Processor seconds of this program and of those that it has started."""
    this = psutil.Process()
    all_times = [p.cpu_times() for p in [this, *this.children(recursive=True)]]
    return sum(times.user + times.system for times in all_times)


def cost(work: Callable[[], object], count: int, cpu: Callable[[], float] = time.process_time) -> Cost:
    """What one of so many costs."""
    begin, used = time.perf_counter(), cpu()
    work()
    return Cost((time.perf_counter() - begin) / count, (cpu() - used) / count)


def quietly(command: Sequence[str]) -> None:
    """Runs a program, whatever it prints."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def middle(costs: Sequence[Cost]) -> Cost:
    """The middle of some rounds."""
    return Cost(statistics.median(c.clock for c in costs), statistics.median(c.cpu for c in costs))


def start(code: str) -> float:
    """Seconds of the processor for a Python program: the least of several."""
    return min(
        cost(lambda: subprocess.run([sys.executable, "-c", code], check=True), 1, ended).cpu
        for _ in range(15)
    )


def nothings(engine: campaign.DaskEngine) -> None:
    """Tasks that do nothing, as a campaign has its tasks done."""
    left = {engine.submit(int, i) for i in range(RUNS)}
    while left:
        left -= {handle for handle in engine.wait() if engine.result(handle) is not None}


def runs_each_way(cli: Path, folder: Path, cores: int) -> tuple[dict[str, Cost], Cost]:
    """What a run costs by command line, threads and workers, and what a task costs; and how many of the command line's runs
    a campaign on all cores makes in the same time, and with the same time of the processors."""
    points = space()
    written = folder / "sweep.json"
    written.write_text(json.dumps({k: v for k, v in points.to_dict().items() if k != "maxEvents"}), encoding="utf-8")
    all_costs: dict[str, list[Cost]] = {}
    for number in range(ROUNDS):
        for jobs in {1, cores}:
            command = [str(cli), "sweep", str(written), "--format", "arrow", "--jobs", str(jobs)]
            ways = {"cli": cost(lambda: quietly(command), RUNS, ended)}
            begin = time.perf_counter()
            with campaign.DaskEngine(workers=jobs) as engine:
                # Once a session, however many runs follow; a campaign begins with the first worker that is ready.
                engine.client.wait_for_workers(jobs)
                ways["start"] = Cost(time.perf_counter() - begin, 0.0)
                ways["sweep"] = cost(lambda: points.rows(jobs=jobs), RUNS)
                out = folder / f"{number}-{jobs}"
                ways["campaign"] = cost(lambda: campaign.run(points, out, engine, progress=False), RUNS, living)
                if jobs == cores:
                    ways["task"] = cost(lambda: nothings(engine), RUNS, living)
            for way, found in ways.items():
                all_costs.setdefault(f"{way}-{jobs}", []).append(found)
        print(f"round {number + 1} of {ROUNDS} is over", flush=True)
    pairs = zip(all_costs[f"cli-{cores}"], all_costs[f"campaign-{cores}"], strict=True)
    shares = [Cost(cli.clock / ours.clock, cli.cpu / ours.cpu) for cli, ours in pairs]
    print(f"campaign / command line: {', '.join(f'{s.clock:.1%} ({s.cpu:.1%} by processor)' for s in shares)}")
    return {way: middle(costs) for way, costs in all_costs.items()}, middle(shares)


def without_events(cli: Path, folder: Path) -> tuple[Cost, Cost]:
    """A run without events, here and by starting the command line."""
    nothing, file = empty(), folder / "empty.json"
    file.write_text(json.dumps(nothing), encoding="utf-8")
    command = [str(cli), "run", str(file), "--json"]
    here, there = [], []
    for _ in range(ROUNDS):
        here.append(cost(lambda: [timeslice.run(nothing) for _ in range(1_000)], 1_000))
        there.append(cost(lambda: [quietly(command) for _ in range(100)], 100, ended))
    return middle(here), middle(there)


def on_disk(folder: Path) -> tuple[float, int, float]:
    """Bytes of a row in how many parts, and in one."""
    def size() -> float:
        return sum(file.stat().st_size for file in folder.rglob("*.parquet")) / RUNS

    before, parts = size(), len(list(folder.rglob("*.parquet")))
    campaign.compact(folder)
    return before, parts, size()


def machine(cores: int) -> str:
    """What this was measured on."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file() and (found := re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)):
        name = found[1]
    libc = " ".join(platform.libc_ver()).strip()
    return f"{cores} cores of {name}, {platform.system()}{f' with {libc}' if libc else ''}, Python {platform.python_version()}"


def length(seconds: float) -> str:
    """A time for people."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} minutes" if seconds < 6_000 else f"{seconds / 3600:.1f} hours"


def paper(each: Cost, share: float, task: Cost) -> str:
    """10 million runs on 1,000 cores, from what was measured."""
    runs, workers, batch = 10**7, 1_000, 10.0
    rows = []
    for what, cpu in [("17 to 56 threads on 16 cores, to their end", each.cpu), ("a longer run", 0.05)]:
        seconds = runs * cpu / share / workers
        tasks = max(runs * cpu / batch, runs / 20_000)
        rows.append(
            f"| {what}: {1e3 * cpu:.2g} ms | {runs * cpu / 3600:.1f} hours | {length(seconds)} | {tasks:,.0f} |"
            f" {tasks / seconds:.0f} | {100 * tasks / seconds * task.cpu:.0f} % |"
        )
    return "\n".join(
        [
            "**10 million runs on 1,000 cores**, reckoned from these figures, not run:",
            "",
            "| A run | One core | 1,000 cores | Batches of 10 s | Batches a second | Driver and scheduler, of one core |",
            "|---|---|---|---|---|---|",
            *rows,
        ]
    )


def main() -> None:
    """Renews the table."""
    cli, docs, *wheels = map(Path, sys.argv[1:])
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    bare = start("pass")
    imported = {name: start(f"import {name}") - bare for name in ("timeslice", "timeslice.campaign")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here, there = without_events(cli, folder)
        ways, share = runs_each_way(cli, folder, cores)
        row_bytes, parts, compact_bytes = on_disk(folder / f"0-{cores}")

    def ms(seconds: float) -> str:
        return f"{1e3 * seconds:.2f} ms"

    def runs(way: str) -> str:
        return " | ".join(f"{1 / ways[f'{way}-{jobs}'].clock:.0f} | {ms(ways[f'{way}-{jobs}'].cpu)}" for jobs in (1, cores))

    task = ways[f"task-{cores}"]
    text = "\n".join(
        [
            f"{date.today().isoformat()}, {machine(cores)}; timeslice {timeslice.__version__} as released.",
            "",
            "| | | Wanted |",
            "|---|---|---|",
            f"| a run without events | {ms(here.clock)} | at most 0.3 ms |",
            f"| the same by starting the command line | {ms(there.clock)} | |",
            f"| `import timeslice`, which loads no other package | {ms(imported['timeslice'])} | at most 50 ms |",
            f"| `import timeslice.campaign` | {ms(imported['timeslice.campaign'])} | |",
            *(f"| the wheel of `{w.name.split('-')[0]}` | {w.stat().st_size / 1e6:.2f} MB | |" for w in wheels),
            f"| a campaign's runs a second, of the command line's | {share.clock:.0%} | at least 90 % |",
            f"| its runs by second of all processors, of the command line's | {share.cpu:.0%} | |",
            f"| before it, once: starting {cores} workers | {ways[f'start-{cores}'].clock:.1f} s | |",
            f"| a task that does nothing: clock, and processor of all processes | {ms(task.clock)}, {ms(task.cpu)} | |",
            f"| a row of two measures on disk: in {parts} files, in one | {row_bytes:.0f}, {compact_bytes:.0f} bytes | |",
            "",
            f"{RUNS:,} runs (ULE, 17 to 56 threads on 16 cores to their end), each with its time of all processors:",
            "",
            f"| | runs/s by one | a run | runs/s by {cores} | a run |",
            "|---|---|---|---|---|",
            f"| `timeslice sweep --jobs` | {runs('cli')} |",
            f"| `timeslice.sweep(jobs=)`: threads | {runs('sweep')} |",
            f"| `campaign.run`: Dask's workers | {runs('campaign')} |",
            "",
            paper(ways[f"campaign-{cores}"], min(share.clock, 1.0), task),
            "",
        ]
    )
    print(text)
    whole = docs.read_text(encoding="utf-8")
    if not PART.search(whole):
        raise SystemExit(f"{docs} has no place for what was measured")
    docs.write_text(PART.sub(lambda found: f"{found[1]}\n{text}\n{found[2]}", whole), encoding="utf-8")


if __name__ == "__main__":
    main()
