"""What an assignment ends with: evidence, output, and what an agent with something to tell may reach."""

from typing import Any

import pytest
from delegated import assigned, ended
from msgspec.structs import replace

from muster_protocol.facts import Act, Evidence

CLAUSE = 'The output contains "ok"'


def proof(call: int = 3, **more: Any) -> Evidence:
    return Evidence(clause=CLAUSE, check="check_output", call=call, passed=True, **more)


@pytest.mark.parametrize(
    ("evidence", "last_act", "why"),
    [
        ((), -1, "nothing was checked for"),
        ((proof(),), 4, "was checked only before the last action"),
        ((replace(proof(about="output", wanted=("ok",), relation="contains"), passed=False),), -1, "did not hold"),
    ],
)
def test_what_is_to_hold_in_the_end_is_proven_by_evidence_whatever_the_agent_claims(
    evidence: tuple[Evidence, ...], last_act: int, why: str
):
    driven = assigned(acceptance=(CLAUSE,)).opens("main")
    driven.ends(driven.open(), replace(ended(driven.open(), evidence=evidence), last_act=last_act))

    assert driven.verdict.status == "failed"
    assert why in driven.verdict.summary


def test_a_command_that_prints_what_the_output_was_to_show_is_no_evidence():
    act = Act(call=1, tool="execute_command", does="run", program='echo "all 5 passed"', by="model")
    clause = 'The output contains "all 5 passed"'
    checked = replace(proof(about="output"), clause=clause)
    driven = assigned(acceptance=(clause,)).opens("main")
    driven.ends(driven.open(), replace(ended(driven.open(), evidence=(checked,), acts=(act,)), last_act=1))

    assert driven.verdict.status == "failed"


def test_an_output_that_is_wanted_must_be_there():
    driven = assigned(output_schema={"type": "object"})
    driven.ends(driven.open(), ended(driven.open()))
    given = assigned(output_schema={"type": "object"})
    given.ends(given.open(), ended(given.open(), output={"a": 1}))

    assert (driven.verdict.status, given.verdict.status) == ("failed", "done")
    assert given.verdict.results[0].assigned.output == {"a": 1}


@pytest.mark.parametrize(
    ("job", "domains"),
    [
        ({"workspace": "shop"}, ("nowhere.invalid",)),
        ({"workspace": "shop", "goal": "Read http://docs.test/a"}, ("docs.test",)),
        ({"workspace": "shop", "domains": ("b.test",)}, ("b.test",)),
        ({"secrets": ("PIN",)}, ("nowhere.invalid",)),
        ({}, ()),
    ],
)
def test_an_agent_that_has_something_to_tell_reaches_only_hosts_that_a_person_named(
    job: dict[str, Any], domains: tuple[str, ...]
):
    driven = assigned(**job)
    task = driven.opens("main").open() if job.get("workspace") else driven.open()

    assert task.domains == domains
