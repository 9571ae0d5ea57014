"""Campaigns: more runs than fit one evening or one machine, spread by Dask, kept as Parquet.

>>> from timeslice import Space, campaign                                   # doctest: +SKIP
>>> space = Space("s0-v890", [{"set": "seed", "values": list(range(2000))}], ["lastExitNs"])
>>> campaign.run(space, "results/seeds")                    # this machine
>>> campaign.run(space, "results/seeds", "tcp://10.0.0.1:8786")   # a cluster
>>> campaign.open("results/seeds").to_table()

What is there is not computed again: an interrupted campaign goes on, at any size of batches, and an enlarged one computes
the runs that no other of the folder has. Needs the extra ``campaign``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .check import Verified, verify
from .driver import Progress, Summary, run
from .engine import DaskEngine, Engine, WorkerLost
from .estimate import Estimate, estimate
from .lock import FolderInUse, held
from .read import read
from .store import Store

if TYPE_CHECKING:
    import pyarrow.dataset

__all__ = [
    "DaskEngine",
    "Engine",
    "Estimate",
    "FolderInUse",
    "Progress",
    "Summary",
    "Verified",
    "WorkerLost",
    "compact",
    "estimate",
    "open",
    "read",
    "run",
    "verify",
]


def open(out: str | os.PathLike[str]) -> pyarrow.dataset.Dataset:
    """The rows of the campaign that was begun last in a folder; the columns are those of ``timeslice sweep``."""
    store = Store(out)
    return store.dataset(store.latest())


def compact(out: str | os.PathLike[str], part_bytes: int = 128 << 20) -> int:
    """Puts many small files into few, of some ``part_bytes`` each; gives how many there are then."""
    store = Store(out)
    latest = store.latest()
    with held(store.folder):
        return store.compact(latest, part_bytes)
