"""Whether rows are what their runs give: some are run again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ..inputs import between
from .store import Store


@dataclass(frozen=True)
class Verified:
    """What running again showed."""

    checked: int
    """Rows that were run again."""
    different: list[dict[str, Any]]
    """Those that give another digest now: point, lane, digest there, and now."""


def verify(out: str | os.PathLike[str], share: float = 0.001, *, jobs: int | None = None) -> Verified:
    """Runs a share of the rows again, at least one, lying evenly in the campaign, and compares digests."""
    between("share", share, 0, 1)
    store = Store(out)
    entry = store.latest()
    rows = store.dataset(entry).to_table(columns=["point", "lane", "status", "digest"])
    rows = rows.sort_by([("point", "ascending"), ("lane", "ascending")]).to_pylist()
    finished = [row for row in rows if row["status"] == "ok"]
    count = min(len(finished), max(1, round(share * len(finished))))
    chosen = [finished[i * len(finished) // count] for i in range(count)]
    lanes = [(row["point"], row["lane"]) for row in chosen]
    again = entry.space().run_lanes(lanes, jobs=jobs)["digest"]
    different = [
        {"point": row["point"], "lane": row["lane"], "there": row["digest"], "now": now}
        for row, now in zip(chosen, again, strict=True)
        if row["digest"] != now
    ]
    return Verified(count, different)
