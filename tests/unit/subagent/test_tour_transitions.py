"""What a tour tells of its machine: what is out of the ordinary always, the ordinary rarely, secrets never."""

import time

from muster_exploration.tour_nodes import NODES
from muster_protocol.logs import Transition
from muster_subagent.exploring.tour_transitions import TourTransitions


def told() -> tuple[TourTransitions, list[Transition]]:
    heard: list[Transition] = []
    return TourTransitions(heard.append, lambda text: text.replace("s3cret", "***")), heard


def test_ordinary_steps_are_told_rarely_and_turns_always() -> None:
    transitions, heard = told()
    for _ in range(50):
        transitions.passed("Choose", NODES["Choose"], "Act", "main")
    assert [(one.source, one.target, one.guard) for one in heard] == [("Choose", "Act", "then")]
    transitions.passed("Choose", NODES["Choose"], "ReturnToApp", "recovery")
    transitions.passed("Choose", NODES["Choose"], "Finish", "terminal")
    assert [one.target for one in heard] == ["Act", "ReturnToApp", "Finish"]


def test_a_further_attempt_says_why_and_until_when_without_secrets() -> None:
    transitions, heard = told()
    transitions.again("EnsureDevice", NODES["EnsureDevice"], 2, "away: s3cret", 1.5)
    transitions.failed("EnsureDevice", NODES["EnsureDevice"], "GiveUp", "away: s3cret")
    again, failed = heard
    assert (again.target, again.guard, again.reason) == ("EnsureDevice", "attempt 2 of 3", "away: ***")
    assert 0.5 < again.until - time.time() <= 1.5
    assert (failed.target, failed.guard, failed.reason) == ("GiveUp", "backtrack", "away: ***")
