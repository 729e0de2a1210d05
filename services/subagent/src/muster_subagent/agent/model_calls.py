"""Asks a sub-task's model within its budget; what the journal holds is not asked again."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from muster_model import Message, Models, Reply, Tier
from muster_model.chat_messages import CHARACTERS_PER_TOKEN, count_tokens
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.journal import ModelReplied
from muster_protocol.tasks import Budget, SubTask
from muster_protocol.tool_calls import Usage
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines

SHORTEST_ANSWER = 64
"""Tokens that an answer needs at least."""

TOLD_SECONDS = 1.0
"""A question that waits for less is not worth a line in the log."""


class BudgetSpent(Exception):
    """The sub-task may ask no more; says which budget is used up."""

    failure = Failure.LIMIT


class TurnsSpent(BudgetSpent):
    """The model has used up its turns."""


class MoneySpent(BudgetSpent):
    """The next question would cost more than is left."""

    failure = Failure.MONEY_SPENT


class Asker:
    """The questions of one sub-task, numbered; a new holder is given the recorded answers first."""

    def __init__(
        self,
        task: SubTask,
        journal: Journal,
        lines: Lines,
        models: Models,
        tier: Tier,
        *,
        instructions: str,
        prolong: Callable[[float], None] | None = None,
    ) -> None:
        self.tier = tier
        self._prolong = prolong
        """Gives the sub-task more seconds; None: nobody does."""
        self.instructions = instructions
        """What the model is told first."""
        self.usage = Usage()
        self.asked = self.largest = 0
        """Questions so far, and characters of the largest."""
        self._task, self._journal, self._lines, self._models = task, journal, lines, models

    def bound(self, budget: Budget) -> None:
        """Ask no more than this budget allows from now on."""
        self._task = replace(self._task, budget=budget)

    async def ask(
        self,
        messages: tuple[Message, ...],
        *,
        tools: Sequence[dict[str, Any]] = (),
        response_format: dict[str, Any] | None = None,
    ) -> Reply:
        """Return the next reply, from the journal if a holder before has got it.

        Raises:
            BudgetSpent: the sub-task's iterations or tokens are used up.
            ModelError: the model cannot be asked.
        """
        number = self.asked
        self.asked += 1
        reply, size = self._recorded(number), count_tokens(messages, json.dumps(list(tools)))
        self.largest = max(self.largest, int(size * CHARACTERS_PER_TOKEN))
        if reply is None:
            room = self._room(size, number)
            reply = await self._models.ask(
                self.tier, messages, tools=tools, response_format=response_format, max_tokens=room, told=self._wait
            )
            self._record(number, reply)
            if reply.text.strip() and not response_format:
                self._lines.tell("thinking", f"  {reply.text.strip()[:500]}", level="debug")
        self.usage = self.usage.plus(reply.usage)
        return reply

    def room(self, characters: int = 0) -> int:
        """Return the tokens of the largest question with room for its answer, of so many characters at most."""
        return min(self.tier.room, int(characters / CHARACTERS_PER_TOKEN)) if characters else self.tier.room

    async def ask_for(self, messages: tuple[Message, ...], response_format: dict[str, Any]) -> Reply:
        """Return the next reply, of the form given; raises as `ask`."""
        return await self.ask(messages, response_format=response_format)

    def _wait(self, seconds: float) -> None:
        """Tell that the next question waits for the fleet's budget; the time is not the sub-task's."""
        if seconds >= TOLD_SECONDS:
            self._lines.tell("message", f"waits {seconds:.0f} s for the fleet's budget of requests to models")
        if self._prolong:
            self._prolong(seconds)

    def _recorded(self, number: int) -> Reply | None:
        text = next((entry.reply for entry in self._journal.progress.replies if entry.index == number), None)
        return codec.decode(text.encode(), Reply) if text is not None else None

    def _record(self, number: int, reply: Reply) -> None:
        self._journal.note(
            ModelReplied(
                index=number,
                reply=msgspec.json.encode(reply).decode(),
                input_tokens=reply.usage.input_tokens,
                output_tokens=reply.usage.output_tokens,
                cached_tokens=reply.usage.cached_tokens,
                cost=reply.usage.cost,
            )
        )

    def _room(self, tokens: int, number: int) -> int:
        """Return how long the answer to a question of so many tokens may be, before it is asked."""
        budget = self._task.budget
        if number >= budget.iterations:
            raise TurnsSpent(f"{budget.iterations} turns of the model are used up (SUB_AGENT_MAX_ITERATIONS)")
        used = self._journal.spent.plus(self._task.delegated)  # also on looks and summaries, which its tools ask for
        left = budget.tokens - used.tokens - tokens if budget.tokens else self.tier.max_tokens
        if left < SHORTEST_ANSWER:
            raise BudgetSpent(f"{used.tokens} of {budget.tokens} tokens are used up (limits: max_tokens)")
        free = max(SHORTEST_ANSWER, self.tier.context_tokens - tokens)
        return min(self.tier.max_tokens, left, free, self._affordable(tokens, used.cost))

    def _affordable(self, tokens: int, used: float) -> int:
        """Return how long an answer the money that is left pays for, the question of so many tokens paid."""
        price, budget = self.tier.price, self._task.budget.cost
        if not budget or not any(price):
            return self.tier.max_tokens
        left = budget - used - price.of(tokens, 0)
        if left < price.of(0, SHORTEST_ANSWER):
            spent = f"{used:g} of {budget:g} are spent, and the next question would cost more than is left"
            raise MoneySpent(f"{spent} (limits: max_cost)")
        return int(left * 1e6 / price.output) if price.output else self.tier.max_tokens
