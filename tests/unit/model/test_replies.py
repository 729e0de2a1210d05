"""What models of each family really say, where their server does not read their calls: read, or refused with a reason.

A notation is a fact of a family's public prompt template or of reports by its users; the texts are written for this test.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from muster_model import Reply
from muster_model.reply_parser import said
from muster_model.structured_answers import read_object
from muster_subagent.tools import TOOLS


class Heard(Struct, frozen=True, forbid_unknown_fields=True):
    """A reply, and what it must be understood as."""

    is_: str = msgspec.field(name="is")
    says: str
    calls: list[tuple[str, dict[str, Any]]] = []
    claim: str = ""
    refused: str = ""
    """Words of the reason; what is refused is neither called nor claimed, and what stood before it is."""


def corpus() -> list[Any]:
    files = sorted((Path(__file__).parent / "replies").glob("*.yaml"))
    return [
        pytest.param(heard, id=f"{file.stem}: {heard.is_}")
        for file in files
        for heard in msgspec.yaml.decode(file.read_bytes(), type=list[Heard])
    ]


@pytest.mark.parametrize("heard", corpus())
def test_a_reply_is_read_as_its_family_means_it_or_refused(heard: Heard):
    found = said(Reply(text=heard.says), frozenset(TOOLS))
    problem = found.problem or next((call.problem for call in found.calls if call.problem), "")
    assert heard.refused in problem if heard.refused else not problem, problem
    assert [(call.tool, call.arguments) for call in found.calls if not call.problem] == heard.calls
    assert (found.claim.status if found.claim else "") == heard.claim


class Opinion(Struct):
    """An answer of a given shape."""

    holds: bool


def test_an_answer_that_was_only_thought_is_none_and_two_that_differ_are_none():
    assert read_object('<think>{"holds": true}?</think>So: {"holds": false}', Opinion) == Opinion(holds=False)
    assert read_object('{"holds": true} Again: {"holds": true}', Opinion) == Opinion(holds=True)
    with pytest.raises(ValueError, match="two answers that differ"):
        read_object('{"holds": true} or {"holds": false}', Opinion)


@pytest.mark.parametrize("text", ["{" * 50_000, '{"holds":' * 50_000])
def test_a_reply_of_braces_alone_is_refused_at_once(text: str):
    with pytest.raises(ValueError, match="begin no JSON object"):
        read_object(text, Opinion)
    [refused] = said(Reply(text=text), frozenset(TOOLS)).calls
    assert "begin no JSON object" in refused.problem
