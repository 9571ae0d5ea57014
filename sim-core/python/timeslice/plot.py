"""Two figures, by Altair (extra ``plot``): a curve of measures over an axis, and a timeline of CPUs."""

from __future__ import annotations

from typing import Any

import altair as alt

from ._core import Records, Table

WIDTH, HEIGHT = 560, 280


def curve(
    rows: Table | Any, x: str, y: str, color: str | None = None, *, unit: str = ""
) -> Any:
    """Means of a measure over an axis, a line for each ``color``, with the band of the standard error over the rest.

    ``rows`` is anything with the columns: what ``sweep`` gives, a data frame, an Arrow table. ``unit`` stands at the axis.
    """
    known = getattr(rows, "column_names", getattr(rows, "columns", None))
    for name in filter(None, (x, y, color)):
        # Altair draws nothing where there is no such column.
        if known is not None and name not in known:
            raise KeyError(f'must be one of {", ".join(map(str, known))}; got "{name}"')
    data = rows.to_dicts() if isinstance(rows, Table) else rows
    data = alt.Data(values=data) if isinstance(data, list) else data
    title = f"{y} ({unit})" if unit else y
    base = alt.Chart(data, width=WIDTH, height=HEIGHT).encode(x=alt.X(_plain(x), type="quantitative", title=x))
    if color is not None:
        base = base.encode(color=alt.Color(_plain(color), type="nominal", title=color))
    band = base.mark_errorband(extent="stderr").encode(
        y=alt.Y(_plain(y), type="quantitative", title=title, scale=alt.Scale(zero=False))
    )
    line = base.mark_line(point=True).encode(
        y=alt.Y(_plain(y), type="quantitative", aggregate="mean", title=title)
    )
    return band + line


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
