"""Pages that invite a false verdict: what is true of them is proven, what is not is never."""

import pytest
from drawn_situations import COVERED, SHAPED
from driving import User
from held_situations import FIELDS, NAMED, STATES, TABLES, TOGGLES
from served import Site
from situations import Situation

from muster_grammar import parse_action, parse_expectation
from muster_protocol.tool_calls import ToolCall, ToolOutcome

SITUATIONS = [*COVERED, *SHAPED, *TOGGLES, *STATES, *TABLES, *FIELDS, *NAMED]


async def made(user: User, calls: tuple[ToolCall, ...]) -> list[ToolOutcome]:
    return [await user(call.tool, **call.arguments) for call in calls]


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.name)
async def test_only_what_is_true_of_a_page_is_proven(look: User, site: Site, situation: Situation) -> None:
    await look.open(site.page(situation.body))
    if situation.first:
        for outcome in await made(look, parse_action(situation.first)):
            assert outcome.status == "ok", outcome.text
    wrong: list[str] = []
    look.ctx.action_timeout = 0.15
    for sentence in situation.false:
        if all(outcome.status == "ok" for outcome in await made(look, parse_expectation(sentence))):
            wrong.append(f"proven: {sentence}")
    look.ctx.action_timeout = 2.0
    for sentence in situation.holds:
        outcomes = await made(look, parse_expectation(sentence))
        wrong += [f"{sentence}: {outcome.text}" for outcome in outcomes if outcome.status != "ok"]
    assert not wrong
