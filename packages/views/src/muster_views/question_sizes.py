"""How large the questions to models were, and what one conversation for the whole run would have sent. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from muster_protocol.journal import ModelReplied
from muster_views.journal_moments import TimedEntry


class QuestionSizes(NamedTuple):
    """Tokens of the questions of a run."""

    largest: int
    sent: int
    """Of all questions together."""
    flat: int
    """What they would come to in one conversation, in which each question holds all that was asked before."""


def measure_questions(journals: Mapping[str, Sequence[TimedEntry]]) -> QuestionSizes:
    """Return the sizes of the questions in journals, which are in the order in which their sub-tasks began.

    A sub-task adds to the conversation what its largest question has beyond the smallest of the run, which stands for
    instructions and tools that are sent anyway, and its last answer.
    """
    asked = [found for journal in journals.values() if (found := _replies(entry for _, entry in journal))]
    every = [reply.input_tokens for replies in asked for reply in replies]
    if not every:
        return QuestionSizes(0, 0, 0)
    base, held, flat = min(every), 0, 0
    for replies in asked:
        flat += sum(held + reply.input_tokens for reply in replies)
        held += max(reply.input_tokens for reply in replies) - base + replies[-1].output_tokens
    return QuestionSizes(max(every), sum(every), flat)


def describe_flat(sizes: QuestionSizes) -> str:
    """Return what one conversation would have sent, beside what was sent; empty if no model was asked."""
    if not sizes.sent:
        return ""
    return f"about {sizes.flat:,} tokens in, {sizes.flat / sizes.sent:.1f} times as many as were sent"


def _replies(entries: Iterable[object]) -> list[ModelReplied]:
    return [entry for entry in entries if isinstance(entry, ModelReplied) and entry.input_tokens]
