"""Carries out the sentences of a tour, as a case would, and counts what they cost."""

from collections.abc import Callable

from msgspec.structs import replace

from muster_grammar import PhraseError, parse_action
from muster_subagent.exploring.screen_notes import Refused
from muster_subagent.exploring.slow_answers import AnswerTimes
from muster_subagent.exploring.tour_budget import TourBudget
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import declared


class TourSentences:
    """Carries out the sentences of one tour; `mask` removes secrets from its records."""

    def __init__(
        self, executor: ToolExecutor, budget: TourBudget, times: AnswerTimes, mask: Callable[[str], str]
    ) -> None:
        self._executor, self._budget, self._times, self._mask = executor, budget, times, mask

    async def make(self, sentence: str, tag: str = "", *, must: bool = True) -> None:
        """Carry out a sentence; `tag` stands in the journal beside each of its calls.

        Raises:
            Refused: it did not come out well, and it must.
        """
        try:
            calls = parse_action(sentence)
        except PhraseError as error:
            raise Refused(f"{sentence}: {error}") from error
        for call in calls:
            goes = declared(self._executor.tools, call.tool).does == "go"
            self._budget.spend(steps=1, taps=0 if goes else 1)
            self._times.begin(repeatable=goes)
            made = await self._executor.make(replace(call, clause=tag))
            if made.outcome.unsent:
                self._times.forget()
            if made.outcome.status != "ok" and must:
                raise Refused(self._mask(made.outcome.text)[:300])
