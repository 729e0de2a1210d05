"""Carries out kinds that only think: the agent's model is asked, and its answer becomes the result."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from muster_model import Message, ModelError, System, Unparsable, User, ask_structured
from muster_model.chat_messages import CHARACTERS_PER_TOKEN, count_tokens
from muster_model.structured_answers import UNREAD, describe_shape
from muster_protocol.causes import Failure
from muster_protocol.kinds import Output
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.claim_judge import unavailable
from muster_subagent.agent.model_calls import Asker, BudgetSpent
from muster_subagent.agent.question_messages import both_ends
from muster_subagent.results import blank, failed
from muster_subagent.task_context import TaskContext

T = TypeVar("T", bound=Struct)
SHORTEST_QUESTION = 400
"""Characters that are asked about however small the context is."""


class Answer(NamedTuple):
    """What a model's thinking came to."""

    summary: str
    output: Output


async def think(context: TaskContext, asker: Asker, answer: Callable[[Asker], Awaitable[Answer]]) -> SubTaskResult:
    """Return the answer as the sub-task's result, with what it has cost; a fail where the model gave none."""
    task = context.task
    try:
        found = await answer(asker)
        result = replace(blank(task), status="pass", summary=found.summary, output=found.output, source="model")
    except BudgetSpent as error:
        result = failed(blank(task), error.failure, str(error))
    except ModelError as error:
        result = unavailable(blank(task), error)
    except Unparsable as error:
        result = failed(blank(task), Failure.UNPARSABLE, str(error))
    return replace(result, usage=result.usage.plus(asker.usage), iterations=asker.asked)


async def think_alone(context: TaskContext, answer: Callable[[Asker], Awaitable[Answer]]) -> SubTaskResult:
    """Return what `think` does; a fail where the workers have no model."""
    asker = context.asker()
    if asker is None:
        return failed(blank(context.task), Failure.MODEL_UNAVAILABLE, "no model is set at the workers")
    return await think(context, asker, answer)


async def answer_to(asker: Asker, question: str, shape: type[T]) -> T:
    """Return the model's answer to a question as a struct.

    Raises:
        BudgetSpent, ModelError, Unparsable: there is none.
    """
    return await ask_structured(asker.ask_for, fitted(asker, question, shape), shape)


async def text_for(asker: Asker, question: str) -> str:
    """Return the model's answer to a question as a text.

    Raises:
        BudgetSpent, ModelError, Unparsable: there is none.
    """
    reply = await asker.ask(fitted(asker, question))
    if not reply.text.strip():
        raise Unparsable("the model gave an empty answer")
    return reply.text.strip()


def fitted(asker: Asker, question: str, shape: type[Struct] | None = None) -> tuple[Message, ...]:
    """Return a question that has lost its middle where the context has no room for it, a second try included. Pure."""
    around = (System(asker.instructions), User(""))
    taken = count_tokens(describe_shape(around, shape) if shape else around)
    spare = int((asker.tier.room - taken) * CHARACTERS_PER_TOKEN) - (UNREAD + 100 if shape else 0)
    return around[0], User(both_ends(question, max(SHORTEST_QUESTION, spare)))
