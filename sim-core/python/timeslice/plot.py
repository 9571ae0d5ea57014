"""Figures, by Altair (extra ``plot``): measures over an axis and by scheduler with their 95 % intervals, distributions, and
a timeline of CPUs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from ._core import Records, Table, interval
from .report import Report

WIDTH, HEIGHT = 560, 280


def curve(
    rows: Table | Any, x: str, y: str, color: str | None = None, *, unit: str = ""
) -> Any:
    """Means of a measure over an axis, a line for each ``color``, with the 95 % interval of each mean over the rest.

    ``rows`` is anything with the columns: what ``sweep`` gives, a data frame, an Arrow table. ``unit`` stands at the axis.
    """
    means = _means(rows, y, [x] if color is None else [x, color])
    title = f"{y} ({unit})" if unit else y
    base = alt.Chart(alt.Data(values=means), width=WIDTH, height=HEIGHT).encode(
        x=alt.X(_plain(x), type="quantitative", title=x)
    )
    if color is not None:
        base = base.encode(color=alt.Color(_plain(color), type="nominal", title=color))
    scale = alt.Scale(zero=False)
    band = base.mark_area(opacity=0.25).encode(
        y=alt.Y("low", type="quantitative", title=title, scale=scale), y2="high"
    )
    line = base.mark_line(point=True).encode(y=alt.Y("mean", type="quantitative", title=title, scale=scale))
    return band + line


def compare(rows: Table | Any, measures: str | Sequence[str], by: str = "scheduler") -> Any:
    """Means of measures with their 95 % intervals, a row for each value of ``by`` and a picture for each measure.

    ``rows`` is as for ``curve``. A mean of one value has no interval.
    """
    pictures = []
    for measure in [measures] if isinstance(measures, str) else measures:
        means = alt.Data(values=_means(rows, measure, [by]))
        base = alt.Chart(means, width=WIDTH / 2).encode(y=alt.Y(_plain(by), type="nominal", title=by, sort=None))
        scale = alt.Scale(zero=False)
        across = base.mark_rule().encode(
            x=alt.X("low", type="quantitative", title=measure, scale=scale), x2="high"
        )
        middle = base.mark_point(filled=True, size=60).encode(
            x=alt.X("mean", type="quantitative", title=measure, scale=scale)
        )
        pictures.append(across + middle)
    return alt.hconcat(*pictures)


def cdf(reports: Iterable[Report], expression: str) -> Any:
    """How much of a distribution is at most so long: a line for each report of one ``run``.

    ``expression`` gives times: ``latencies(lane, half)``, ``waits(lane, all)``. The axis is logarithmic; 0 stands at its left end.
    """
    steps: list[dict[str, Any]] = []
    for number, report in enumerate(reports, 1):
        times = sorted(report.distribution(expression))
        lane = f"{number} {report.scheduler} {report.era}"
        steps.append({"lane": lane, "ms": 0.0, "share": 0.0})
        for place, ns in enumerate(times, 1):
            # Of equal times the last one has the height of all.
            if place == len(times) or times[place] != ns:
                steps.append({"lane": lane, "ms": ns / 1e6, "share": place / len(times)})
    # A logarithm has no place for 0.
    least = min((step["ms"] for step in steps if step["ms"] > 0), default=1.0)
    for step in steps:
        step["ms"] = max(step["ms"], least / 2)
    return (
        alt.Chart(alt.Data(values=steps), width=WIDTH, height=HEIGHT)
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("ms", type="quantitative", title=f"{expression} (ms)", scale=alt.Scale(type="log")),
            y=alt.Y("share", type="quantitative", title="part that is at most so long", axis=alt.Axis(format="%")),
            color=alt.Color("lane", type="nominal", sort=None),
        )
    )


def _dicts(rows: Any) -> list[dict[str, Any]]:
    """Rows of any kind as dictionaries."""
    if isinstance(rows, list):
        return rows
    if hasattr(rows, "to_dicts"):
        return list(rows.to_dicts())
    if hasattr(rows, "to_pylist"):
        return list(rows.to_pylist())
    return list(rows.to_dict("records"))


def _means(rows: Table | Any, measure: str, by: list[str]) -> list[dict[str, Any]]:
    """For each combination of the columns ``by``, in their order in the rows, the mean of a measure with its 95 % interval."""
    groups: dict[tuple[Any, ...], list[float]] = {}
    for row in _dicts(rows):
        for name in (measure, *by):
            # Altair draws nothing where there is no such column.
            if name not in row:
                raise KeyError(f'must be one of {", ".join(map(str, row))}; got "{name}"')
        values = groups.setdefault(tuple(row[name] for name in by), [])
        if row[measure] is not None:
            values.append(row[measure])
    means = []
    for key, values in groups.items():
        if not values:
            continue
        mean, half = interval(values) or (values[0], 0)
        known = dict(zip(by, key, strict=True))
        means.append({**known, "mean": mean, "low": mean - half, "high": mean + half})
    return means


def _plain(name: str) -> str:
    """A name of a column, in which Altair would take some characters for its own."""
    return name.replace("\\", "\\\\").replace(".", "\\.").replace("[", "\\[").replace(":", "\\:")


def timeline(records: Records, until_ns: int) -> Any:
    """Who had each CPU: a bar for each stay of a thread, from what ``trace`` gives up to the same time in ns."""
    stays: list[dict[str, Any]] = []
    on: dict[int, tuple[str, int]] = {}
    for table in records:
        columns = (table[name] for name in ("atNs", "kind", "cpu", "task"))
        for at, kind, cpu, task in zip(*columns, strict=True):
            if kind == "switch" and cpu is not None:
                _end(stays, on, cpu, at)
                if task is not None:
                    on[cpu] = (task, at)
    for cpu in list(on):
        _end(stays, on, cpu, until_ns)
    return (
        alt.Chart(alt.Data(values=stays), width=WIDTH, height=HEIGHT)
        .mark_bar()
        .encode(
            x=alt.X("from", type="quantitative", title="simulated time (ms)"),
            x2="to",
            y=alt.Y("cpu", type="ordinal", title="CPU"),
            color=alt.Color("thread", type="nominal"),
            tooltip=["thread:N", "cpu:O", "from:Q", "to:Q"],
        )
    )


def _end(stays: list[dict[str, Any]], on: dict[int, tuple[str, int]], cpu: int, at: int) -> None:
    if cpu in on:
        thread, since = on.pop(cpu)
        stays.append({"thread": thread, "cpu": cpu, "from": since / 1e6, "to": at / 1e6})
