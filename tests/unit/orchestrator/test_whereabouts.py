"""What later sub-tasks are told: what was done, what proved it, and where their session stands."""

from typing import Any

from driven import Driven, a_case, passes, plan_of
from envelopes import result_of
from msgspec.structs import replace

from muster_orchestrator.machine.jobs.test_case.whereabouts import Whereabouts, after, describe, shown_by
from muster_protocol.facts import Act, Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTaskResult

CART = "http://shop/cart"


def check(seen: str) -> Evidence:
    return Evidence(clause="it holds", check="check_text", call=1, passed=True, seen=seen)


def result(*evidence: Evidence, acts: tuple[Act, ...] = (), place: str | None = None) -> SubTaskResult:
    output = StepOutput(evidence=evidence, acts=acts, place=place)
    return result_of("run-1.s1.1", status="pass", summary="done", output=output)


def known(found: SubTaskResult, before: Whereabouts | None = None, words: str = "Look", **more: Any) -> Whereabouts:
    node = PlanNode(id="s1", description=words)
    return after(before or Whereabouts(), node, found, recovery=more.get("recovery", False))


def test_the_place_is_where_the_newest_call_on_the_device_left_it():
    assert known(result(place=CART), Whereabouts(place="http://shop/login")).place == CART
    assert known(result(place=None), Whereabouts(place=CART)).place == CART, "the device was not used"
    assert known(result(place=""), Whereabouts(place=CART)).place == "", "nobody knows where that led"


def test_the_action_that_entered_a_secret_is_told_as_written_until_the_next():
    signs = 'Type "ann" into "User" and "${secret:PASSWORD}" into "Password"'
    first = known(result(), words=signs)
    assert first.signed_in == signs
    assert known(result(), first).signed_in == signs


def test_a_recovery_that_ran_a_command_is_told_and_no_other_step():
    ran = result(acts=(Act(call=0, tool="execute_command", does="run", program="npm i", status="ok"),))
    assert known(ran, words="Install Node.js", recovery=True).installed == ("Install Node.js",)
    assert known(ran, words="Install Node.js").installed == ()
    refused = result(acts=(Act(call=0, tool="execute_command", does="run", status="refused"),))
    assert known(refused, recovery=True).installed == ()


def test_only_what_is_known_is_described():
    assert describe(Whereabouts()) == ""
    assert describe(Whereabouts(place=CART, installed=("Install Node.js",))) == (
        f"Now at: {CART}\nRecoveries have changed the machine: Install Node.js"
    )


def test_what_a_step_showed_is_short_and_on_one_line():
    assert shown_by(result(check("3\n  pieces in the cart")), 12) == "3 pieces in…"
    assert shown_by(result(check("")), 12) == "it holds"
    assert shown_by(result(), 12) == ""


def test_a_later_step_is_told_what_the_one_before_showed():
    case = a_case('The text "Paid" is visible', 'The text "Sent" is visible')
    driven = Driven.planned(case, plan=plan_of(case))
    done = passes(driven.open())
    proofs = tuple(replace(it, seen="Paid, thank you") for it in done.step.evidence)
    driven = driven.ends(driven.open(), replace(done, output=replace(done.step, evidence=proofs)))
    told = driven.open("step-2").step.state
    assert told.startswith(case.steps[0].action)
    assert "(showed: Paid, thank you)" in told
