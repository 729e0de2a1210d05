"""Builds the planner's question about a part of a test case, and checks that it fits the context. Pure."""

import json
from collections.abc import Sequence

from msgspec import Struct

from muster_model import Assistant, Message, System, Tier, User
from muster_model.chat_messages import CHARACTERS_PER_TOKEN, count_tokens
from muster_model.structured_answers import UNREAD, describe_shape
from muster_protocol.requests import TestCase
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.question_messages import both_ends, titled

SPLITTING = 1.5
"""How much longer a plan that splits steps is taken to be than one that keeps them."""
COMPLAINT = 500
"""Characters that say what is wrong with a plan."""


class ProposedTask(Struct, frozen=True, forbid_unknown_fields=True):
    """One sub-task as a planner proposes it; steps are numbered from 1."""

    covers: list[int]
    description: str
    why: str


class CheckedTask(ProposedTask, frozen=True, forbid_unknown_fields=True):
    """The same, with what it is to show where nothing written is expected of it: a known sentence, or nothing."""

    checkpoint: str = ""


class CheckedProposal(Struct, frozen=True, forbid_unknown_fields=True):
    """What a planner answers that may set checkpoints."""

    sub_tasks: list[CheckedTask]


class Proposal(Struct, frozen=True, forbid_unknown_fields=True):
    """What a planner answers."""

    sub_tasks: list[ProposedTask]


def all_steps(case: TestCase) -> range:
    """Return the numbers of all steps of a case."""
    return range(1, len(case.steps) + 1)


def halves(part: range) -> tuple[range, range]:
    """Return a part of two steps or more as two parts."""
    middle = part.start + len(part) // 2
    return range(part.start, middle), range(middle, part.stop)


def kept(case: TestCase, part: range) -> list[ProposedTask]:
    """Return the sub-tasks of a part that is taken as it is written."""
    return [ProposedTask([number], case.steps[number - 1].action, "") for number in part]


def question(
    case: TestCase, part: range, before: Sequence[ProposedTask], asker: Asker, critique: Sequence[str] = ()
) -> tuple[Message, ...]:
    """Return what a planner is asked about a part; `before` are the sub-tasks planned for the steps before it.

    `critique`: what was found in the plan before, which the new one should mend.
    """
    spare = int(asker.tier.context_tokens * CHARACTERS_PER_TOKEN) // 8
    steps = "\n".join(
        f"{number}. {step.action}" + (f"\n   (expected: {step.expected})" if step.expected else "")
        for number, step in zip(part, case.steps[part.start - 1 :], strict=False)
    )
    whole = part == all_steps(case)
    title = "Steps" if whole else f"Steps {part.start} to {part[-1]} of {len(case.steps)}; plan these alone"
    parts = (
        ("Test case", case.name),
        ("Already true before step 1", both_ends("\n".join(f"- {text}" for text in case.preconditions), spare)),
        ("Planned for the steps before, not to be planned again", _newest(before, spare)),
        (title, steps),
        ("A critic says of your plan before (data)", both_ends("\n".join(f"- {text}" for text in critique), spare)),
    )
    return System(asker.instructions), User(titled(*parts))


def has_room(messages: tuple[Message, ...], case: TestCase, part: range, tier: Tier) -> bool:
    """Return whether a context holds the question, a plan of the part that is sent back, and the plan after that."""
    answer = SPLITTING * count_tokens((Assistant(as_text(Proposal(kept(case, part)))),))
    sent_back = answer + (COMPLAINT + UNREAD) / CHARACTERS_PER_TOKEN
    asked = count_tokens(describe_shape(messages, Proposal)) + sent_back
    return answer <= tier.max_tokens and asked + answer <= tier.context_tokens


def as_text(proposal: Proposal) -> str:
    """Return a proposal as a planner is shown it when it is sent back."""
    return json.dumps([{"covers": it.covers, "description": it.description} for it in proposal.sub_tasks])


def _newest(before: Sequence[ProposedTask], length: int) -> str:
    """Return the last of the sub-tasks, in their order, as far as `length` characters go."""
    lines: list[str] = []
    for line in (f"- {' '.join(it.description.split())}" for it in reversed(before)):
        length -= len(line) + 1
        if length < 0:
            return "\n".join(["…", *reversed(lines)])
        lines.append(line)
    return "\n".join(reversed(lines))
