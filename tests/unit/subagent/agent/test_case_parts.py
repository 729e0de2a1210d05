"""How a case is cut into parts that a planner's context has room for."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from muster_model.chat_messages import count_tokens
from muster_model.settings import ModelSettings, tier_of
from muster_protocol.requests import Step, TestCase
from muster_subagent.agent.case_parts import ProposedTask, all_steps, halves, has_room, kept, question
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent_catalogue import worker_definitions

PLANNER = worker_definitions("").agents.by_id["case-planner"].instructions


def asker(context: int, answer: int = 4096) -> Asker:
    settings = ModelSettings(
        orchestrator_model="large", orchestrator_context_tokens=context, orchestrator_max_tokens=answer
    )
    found = tier_of(settings, "orchestrator")
    assert found is not None
    nobody: Any = None  # what makes the questions asks nothing
    return Asker(nobody, nobody, nobody, nobody, found, instructions=PLANNER)


def a_case(steps: int, words: str = "Put another book into the basket", before: int = 0) -> TestCase:
    return TestCase(
        name="A case",
        steps=tuple(Step(action=f"{words} ({n})", expected=f"There are {n}") for n in range(1, steps + 1)),
        preconditions=tuple(f"Customer {n} is there" for n in range(before)),
    )


@given(st.integers(1, 500), st.integers(2, 500))
def test_halves_are_the_whole_in_its_order_and_neither_is_empty(start: int, length: int):
    part = range(start, start + length)
    first, second = halves(part)
    assert [*first, *second] == [*part]
    assert first and second


def test_a_case_of_usual_length_is_planned_at_once_and_a_very_long_one_is_not():
    usual = a_case(60)
    assert has_room(question(usual, all_steps(usual), (), asker(32768)), usual, all_steps(usual), asker(32768).tier)
    long = a_case(600)
    assert not has_room(question(long, all_steps(long), (), asker(32768)), long, all_steps(long), asker(32768).tier)


def test_there_is_no_room_for_an_answer_that_is_longer_than_answers_may_be():
    case = a_case(60)
    short = asker(32768, answer=500)
    assert not has_room(question(case, all_steps(case), (), short), case, all_steps(case), short.tier)


def test_a_part_shows_its_own_steps_by_their_numbers_in_the_case_and_what_was_planned_before():
    case = a_case(9)
    asked = str(question(case, range(4, 7), kept(case, range(1, 4)), asker(8192))[1].content)
    assert "# Steps 4 to 6 of 9; plan these alone\n4. Put another book into the basket (4)\n" in asked
    assert "(3)" in asked.partition("# Steps")[0]
    assert "7. " not in asked and "(expected: There are 6)" in asked


@given(st.integers(0, 300), st.integers(0, 300))
def test_what_stands_around_a_part_is_shortened_to_a_quarter_of_the_context(before: int, preconditions: int):
    case, small = a_case(2, before=preconditions), asker(2048)
    planned = [ProposedTask([], f"Something that was planned as number {n}", "") for n in range(before)]
    bare = count_tokens(question(a_case(2), range(1, 3), (), small))
    around = count_tokens(question(case, range(1, 3), planned, small)) - bare
    assert around <= 2048 // 4 + 40
    if planned:
        assert planned[-1].description in str(question(case, range(1, 3), planned, small)[1].content)
