"""Timeslice: CPU schedulers of real kernels on models of real machines.

A *scenario* names a machine, groups of threads, one to four schedulers, a seed and an end. A run is a function of its
scenario: the same scenario gives the same digest here, on the command line and in a browser. Times are simulated, in ns.

>>> import timeslice
>>> [report.scheduler for report in timeslice.run("bfs-smt")]
['bfs', 'manual', 'random']

A scenario is a dictionary, the id of a shipped one, or the path of a JSON file; ``scenarios/schema.json`` describes it.
``timeslice.campaign`` (extra ``campaign``) spreads runs over this machine or a cluster, ``timeslice.plot`` (extra ``plot``)
draws two figures. What is in here needs no other package.
"""

from __future__ import annotations

from ._core import VERSION as __version__
from ._core import Records, Table
from .errors import CoreError, Problem, ScenarioError
from .recorded import RecordedTrace, read_trace
from .report import Report
from .scenarios import Document, Scenario, catalog, changed, check, complete, published, scenario
from .studies import Claim, Claims, Space, claims, decisions, measure, run, sweep, trace

__all__ = [
    "Claim",
    "Claims",
    "CoreError",
    "Document",
    "Problem",
    "RecordedTrace",
    "Records",
    "Report",
    "Scenario",
    "ScenarioError",
    "Space",
    "Table",
    "__version__",
    "catalog",
    "changed",
    "check",
    "claims",
    "complete",
    "decisions",
    "measure",
    "published",
    "read_trace",
    "run",
    "scenario",
    "sweep",
    "trace",
]
