"""Asking a person: no answer, no outcome; and what was answered is data that proves nothing."""

from typing import cast

import httpx
import pytest

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArgumentValue, ArtifactRef, ToolCall, ToolOutcome
from muster_subagent import tools
from muster_subagent.secrets import Secrets
from muster_subagent.step_permissions import Permission
from muster_subagent.tool_context import NeedsPerson, Session, ToolContext


def no_file(name: str, data: bytes, kind: str) -> ArtifactRef:
    raise AssertionError(f"nothing is to be stored: {name} {kind} {len(data)}")


async def asked(answers: dict[str, str], **arguments: ArgumentValue) -> ToolOutcome:
    """Make the call `r.n.1:4`, which needs no session."""
    async with httpx.AsyncClient() as http:
        context = ToolContext(
            session=cast("Session", None),
            secrets=Secrets({"PIN": "9173"}),
            http=http,
            call="r.n.1:4",
            store=no_file,
            answers=answers,
            permission=Permission(secrets=frozenset({"PIN"})),
        )
        return await tools.call(context, ToolCall(tool="ask_person", arguments=arguments), {"who": "Ann"})


async def test_without_an_answer_the_question_goes_out_under_the_id_of_the_call():
    with pytest.raises(NeedsPerson) as found:
        await asked({"r.n.1:3": "to another question"}, question=" What is the PIN of ${who}, not ${secret:PIN}? ")
    assert (found.value.question, found.value.text) == ("r.n.1:4", "What is the PIN of Ann, not ••••••?")


async def test_an_answer_is_told_and_kept_under_the_name_that_was_given():
    assert (await asked({"r.n.1:4": " A-1\n"}, question="Which?")).captured == {}
    outcome = await asked({"r.n.1:4": " A-1\n"}, question="Which?", name="order")
    assert (outcome.status, outcome.captured) == ("ok", {"order": "A-1"})
    assert outcome.text == 'A person answers "A-1" (kept as ${order}).'


async def test_a_secret_in_an_answer_is_masked():
    outcome = await asked({"r.n.1:4": "it is 9173"}, question="Which?", name="pin")
    assert "9173" not in outcome.text + outcome.captured["pin"]


@pytest.mark.parametrize("answer", ["", " \n"])
async def test_an_empty_answer_is_none_and_is_not_kept(answer: str):
    outcome = await asked({"r.n.1:4": answer}, question="Which?", name="code")
    assert (outcome.status, outcome.failure, outcome.captured) == ("error", Failure.NO_EVIDENCE, {})
    assert "is empty" in outcome.text


async def test_a_placeholder_in_an_answer_stays_text():
    outcome = await asked({"r.n.1:4": "${secret:PIN}"}, question="Which?", name="pin")
    assert outcome.captured == {"pin": "${secret:PIN}"}


@pytest.mark.parametrize(
    "arguments", [{"question": " "}, {"question": "?" * 2001}, {"question": "Which?", "name": "1x"}]
)
async def test_a_question_that_cannot_be_asked_is_refused_at_once(arguments: dict[str, ArgumentValue]):
    assert (await asked({}, **arguments)).failure == Failure.INVALID_CALL


def test_asking_changes_nothing_and_checks_nothing():
    assert tools.TOOLS["ask_person"].effect == "read"
