"""What the package costs: prints the table of `docs/python.md`. `npm run python -- --measure` builds what is released and
starts this with the path of the command line and of the wheel.

Beside times on the clock it prints those of the processor, which other programs on the machine change less.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import timeslice
from timeslice import Space, campaign

RUNS = 2_000


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


def children() -> float:
    """Processor seconds of programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(work: Callable[[], object], cpu: Callable[[], float] = time.process_time) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    begin, used = time.perf_counter(), cpu()
    work()
    return time.perf_counter() - begin, cpu() - used


def line(what: str, *figures: str) -> None:
    """A row of the table."""
    print(f"| {what} | {' | '.join(figures)} |", flush=True)


def each(seconds: tuple[float, float], runs: int) -> tuple[str, str, str]:
    """Runs a second, and milliseconds of the clock and of the processor for one."""
    clock, cpu = seconds
    return f"{runs / clock:.0f}", f"{1e3 * clock / runs:.3f}", f"{1e3 * cpu / runs:.3f}"


def start(code: str) -> float:
    """Milliseconds of the processor for a Python program: the least of several."""
    return 1e3 * min(
        timed(lambda: subprocess.run([sys.executable, "-c", code], check=True), children)[1]
        for _ in range(7)
    )


def processes(engine: campaign.DaskEngine) -> float:
    """Processor seconds of the engine's processes, and of this one."""
    this = psutil.Process()
    all_times = [p.cpu_times() for p in [this, *this.children(recursive=True)]]
    return sum(times.user + times.system for times in all_times)


def main() -> None:
    """Prints the table."""
    cli, wheel = Path(sys.argv[1]), Path(sys.argv[2])
    print(f"wheel: {wheel.stat().st_size / 1e6:.2f} MB")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = start("pass")
        print(f"import timeslice: {start('import timeslice') - bare:.1f} ms of the processor")
        print(f"import timeslice.campaign: {start('import timeslice.campaign') - bare:.0f} ms of the processor")
        line("", "runs/s", "ms a run", "CPU ms a run")
        line("---", "---", "---", "---")
        nothing = empty()
        line("`run`, a run without events", *each(timed(lambda: [timeslice.run(nothing) for _ in range(RUNS)]), RUNS))
        file = folder / "empty.json"
        file.write_text(json.dumps(nothing), encoding="utf-8")
        command = [str(cli), "run", str(file), "--json"]
        seconds = timed(lambda: [subprocess.run(command, stdout=subprocess.DEVNULL) for _ in range(200)], children)
        line("the same by the command line", *each(seconds, 200))
        points = space()
        written = folder / "sweep.json"
        written.write_text(json.dumps({k: v for k, v in points.to_dict().items() if k != "maxEvents"}), encoding="utf-8")
        for jobs in (1, 2):
            command = [str(cli), "sweep", str(written), "--format", "arrow", "--jobs", str(jobs)]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            seconds = timed(lambda: subprocess.run(command, check=True, **quiet), children)
            line(f"`timeslice sweep --jobs {jobs}`", *each(seconds, RUNS))
            line(f"`sweep(jobs={jobs})`", *each(timed(lambda: points.rows(jobs=jobs)), RUNS))
        for workers in (1, 2):
            with campaign.DaskEngine(workers=workers) as engine:
                out = folder / f"campaign-{workers}"
                seconds = timed(lambda: campaign.run(points, out, engine, progress=False), lambda: processes(engine))
                line(f"`campaign.run`, {workers} workers, all processes", *each(seconds, RUNS))
                if workers == 2:

                    def tasks() -> None:
                        handles = {engine.submit(int, i) for i in range(RUNS)}
                        while handles:
                            for handle in engine.wait():
                                engine.result(handle)
                                handles.discard(handle)

                    line("a task that does nothing", *each(timed(tasks, lambda: processes(engine)), RUNS))
        size = sum(file.stat().st_size for file in (folder / "campaign-2").rglob("*.parquet"))
        parts = len(list((folder / "campaign-2").rglob("*.parquet")))
        print(f"on disk: {size / RUNS:.0f} B a row in {parts} parts, ", end="")
        campaign.compact(folder / "campaign-2")
        size = sum(file.stat().st_size for file in (folder / "campaign-2").rglob("*.parquet"))
        print(f"{size / RUNS:.0f} B in one")


if __name__ == "__main__":
    main()
