"""Published claims: the verdicts of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import timeslice


def test_claims_are_judged_as_on_the_command_line(cli: Callable[..., bytes]) -> None:
    here = timeslice.claims("W1", "J12", seeds=2, seconds=5)
    told = json.loads(cli("claims", "W1", "J12", "--seeds", "2", "--seconds", "5", "--json"))
    assert [claim.id for claim in here] == ["W1", "J12"]
    assert [claim.verdict for claim in here] == [claim["verdict"] for claim in told]
    values = [[measure["value"] for measure in claim["measures"]] for claim in told]
    assert [[measure["value"] for measure in claim["measures"]] for claim in here] == values
    assert here[0].holds == (here[0].verdict == "holds")
    assert all(number["claim"] in {"W1", "J12"} for number in here.numbers)


def test_what_if_changes_all_runs() -> None:
    plain = timeslice.claims("J12", seeds=1, seconds=2)
    other = timeslice.claims("J12", seeds=1, seconds=2, changes={"ule.balance": False})
    assert [m["value"] for m in plain[0]["measures"]] != [m["value"] for m in other[0]["measures"]]


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(timeslice.ScenarioError, match="claims: must be one of "):
        timeslice.claims("W99")
    with pytest.raises(timeslice.ScenarioError, match="seeds: must be from 1 to 1000, got 0"):
        timeslice.claims("W1", seeds=0)
    with pytest.raises(timeslice.ScenarioError, match="cfs2"):
        timeslice.claims("W1", changes={"cfs2.x": 1})
