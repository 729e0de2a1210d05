"""Examines a finished run again: doubts about its verdict, each with a quote that supports it."""

from collections.abc import Mapping

from msgspec import Struct

from muster_protocol.analyses import AnalyseInput, AnalyseOutput
from muster_protocol.assignments import Found
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.question_messages import titled
from muster_subagent.kind_work.thought import Answer, answer_to, think_alone
from muster_subagent.task_context import TaskContext
from muster_text.text_match import squash

MOST, LONGEST, LONGEST_SUMMARY = 20, 500, 1_000
"""Most doubts in a result, and most characters of a doubt's parts and of the summary."""


class Doubt(Struct, frozen=True, forbid_unknown_fields=True):
    """A reason to doubt a verdict, as an analyzer answers it."""

    text: str
    quote: str
    source: str


class SecondLook(Struct, frozen=True, forbid_unknown_fields=True):
    """What an analyzer answers."""

    summary: str
    doubts: list[Doubt]


async def work(context: TaskContext) -> SubTaskResult:
    """Return what there is to doubt about a run."""
    asked = context.task.input
    assert isinstance(asked, AnalyseInput)

    async def answer(asker: Asker) -> Answer:
        return read_look(asked.material, await answer_to(asker, question(asked.material), SecondLook))

    return await think_alone(context, answer)


def question(material: Mapping[str, str]) -> str:
    """Return what a run has left as an analyzer reads it. Pure."""
    return titled(*((f"{title} (data)", text) for title, text in material.items()))


def read_look(material: Mapping[str, str], found: SecondLook) -> Answer:
    """Return an answer as the result holds it: without doubts whose quotes stand nowhere in the material. Pure."""
    read = [squash(text) for text in material.values()]
    shown = [it for it in found.doubts if squash(it.quote) and any(squash(it.quote) in text for text in read)]
    doubts = tuple(
        Found(text=it.text[:LONGEST], quote=it.quote[:LONGEST], source=it.source[:LONGEST]) for it in shown[:MOST]
    )
    return Answer(
        found.summary[:LONGEST_SUMMARY], AnalyseOutput(doubts=doubts, left_out=len(found.doubts) - len(doubts))
    )
