"""Judges the result that a model claims: a pass only if it is proven, a fail with what was seen to be false."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from muster_evidence.action_demands import find_unbound
from muster_evidence.binding import asks_person
from muster_evidence.proof import find_undone, says_to_change
from muster_model import ModelError, ModelUnusable
from muster_model.asked_calls import Asked
from muster_model.reply_parser import Claimed
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import CHANGING, ToolCall
from muster_subagent.agent.clause_prover import Clause, Gap, prove, worst_of
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.result_judge import Judge
from muster_subagent.agent.row_choice import find_wrong_row
from muster_subagent.results import acts_of, failed, shortened
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools.page_tools import snapshot
from muster_subagent.tools.page_view import told
from muster_text.values import placeholder_names


class ClaimJudge(Judge):
    """Knows what one sub-task has to prove, and makes its result."""

    def __init__(self, executor: ToolExecutor, asker: Asker, clauses: Sequence[Clause]) -> None:
        super().__init__(executor, asker)
        self._clauses = clauses
        self._refused = False
        """A pass was sent back once."""
        self._urged = False
        """A fail without a try was sent back once."""

    async def finish(self, asked: Asked) -> tuple[SubTaskResult | None, str]:
        """Return the result that a call claims, or None, and what the model is told."""
        status = asked.arguments.get("status")
        if asked.problem or status not in ("pass", "fail"):
            return None, f"error: {asked.problem or 'status must be pass or fail'}"
        summary = str(asked.arguments.get("summary") or "")
        return await self.judge(Claimed(status, summary, asked.arguments.get("blocked") in (True, "true", "True")))

    def refuse(self, call: str) -> None:
        """A step's result does not list calls that were not made."""

    async def judge(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Return the claimed result, or None, and what the model is told; a pass without proof is sent back once."""
        if claim.status == "fail" and claim.blocked:
            return self._given_up(claim)
        idle = self._idle() if claim.status == "pass" else ""
        gaps = () if idle else await prove(self._executor, self._clauses)
        if claim.status == "fail":
            return self._fail(claim, gaps), "taken"
        if not idle and not gaps:
            unchanged = await self._unchanged()
            idle = unchanged if says_to_change(self._task.description) else ""
            if not idle:
                return self._passed(claim, unchanged), "taken"
        if not self._refused:
            self._refused = True
            return None, _sent_back(idle, gaps)
        return (self.failed(Failure.NO_EVIDENCE, idle) if idle else self._refuted(gaps)), "refused"

    def _idle(self) -> str:
        """Return why nothing can have been achieved, or ""."""
        changes = [made for made in self._executor.made if made.changes]
        acts = acts_of(self._task, self._executor.made, self._executor.captured)
        asked = [made for made in self._executor.made if "people" in made.tool.needs]
        if asks_person(self._task.description) and not asked:
            return "the step says to ask a person, and nobody was asked"
        taken = {name for made in self._executor.made if made not in asked for name in made.outcome.captured}
        asked_for = taken & set(placeholder_names(self._task.description))
        if self._task.step.covers:
            again, values = self._task.attempt > 1, self._executor.values
            undone = find_unbound if asked_for else partial(find_undone, again=again)
            view = next((it.outcome.text for it in self._executor.made if it.tool.outline == "whole"), "")
            idle = undone(self._task.description, acts, values) or find_wrong_row(self._task.description, acts, view)
            if idle:
                return idle
        if not self._clauses and changes and not changes[-1].outcome.confirmed:
            return f"{changes[-1].call.tool} did not show its effect"
        return ""

    async def _unchanged(self) -> str:
        """Return that nothing on the page has changed, so that what is expected held before; or "".

        Where an act saw its own effect, nobody needs to look.
        """
        made = self._executor.made
        acts = [index for index, it in enumerate(made) if it.changes and it.by_model]
        views = [index for index, it in enumerate(made) if it.tool.outline == "whole" and it.outcome.status == "ok"]
        known = acts and views and views[0] < acts[0] and all("device" in made[index].tool.needs for index in acts)
        if not (known and self._clauses and self._task.step.covers) or any(
            made[index].outcome.confirmed for index in acts
        ):
            return ""
        now = await self._executor.make(ToolCall(tool=snapshot.name), by_model=True)
        same = now.outcome.status == "ok" and told(now.outcome.text) == told(made[views[0]].outcome.text)
        return "nothing on the page has changed, and what is expected held before" if same else ""

    def _passed(self, claim: Claimed, unchanged: str) -> SubTaskResult:
        proven = "; ".join(clause.text for clause in self._clauses)
        return replace(
            self.facts(),
            status="pass",
            unverified=bool(unchanged) or not self._task.step.expected_result.strip(),
            summary=f"{proven or claim.summary}{f' ({unchanged})' if unchanged else ''}",
        )

    def _fail(self, claim: Claimed, gaps: Sequence[Gap]) -> SubTaskResult:
        """A fail that is claimed is a fail; what was seen to be false says why."""
        if gaps:
            return self._refuted(gaps)
        return self._blocked(claim)

    def _refuted(self, gaps: Sequence[Gap]) -> SubTaskResult:
        worst = worst_of(gaps)
        outcome = worst.made.outcome if worst.made else None
        result = self.failed(worst.failure, worst.text)
        seen, where = (outcome.seen, outcome.where) if outcome else ("", "")
        expected = (outcome and outcome.expected) or worst.clause
        return replace(result, expected=shortened(expected), seen=shortened(seen), where=where)

    def _given_up(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Take it that the step cannot be carried out; a model that has tried nothing is asked once to try."""
        tried = any(made.by_model and made.effect in CHANGING for made in self._executor.made)
        if tried or self._urged:
            return self._blocked(claim), "taken"
        self._urged = True
        return None, "not accepted: nothing was tried yet. Use what the page shows, or finish with fail again."

    def _blocked(self, claim: Claimed) -> SubTaskResult:
        """Name what stood in the way: the last call that could not be made; the run's judge says who is to blame."""
        made = [
            it for it in self._executor.made if it.tool.outline != "whole" and (it.by_model or it.effect in CHANGING)
        ]
        errors = [it for it in made if it.outcome.status == "error" or not it.outcome.confirmed]
        outcome = errors[-1].outcome if errors else None
        failure = (outcome and outcome.failure) or Failure.GAVE_UP
        result = self.failed(failure, claim.summary or (outcome.text if outcome else "it could not be carried out"))
        if outcome is None:
            return result
        return replace(result, expected=outcome.expected, seen=outcome.seen or outcome.text, where=outcome.where)


def unavailable(facts: SubTaskResult, error: ModelError) -> SubTaskResult:
    """Return the result of work whose model cannot be asked; worth another try unless a setting is wrong."""
    result = failed(facts, Failure.MODEL_UNAVAILABLE, str(error))
    return result if isinstance(error, ModelUnusable) else replace(result, status="error")


def _sent_back(idle: str, gaps: Sequence[Gap]) -> str:
    """Return what the model is told when its pass is not accepted, once."""
    if idle:
        return f"not accepted: {idle}. Do the step, or finish with fail."
    lacks = "\n".join(f"- {missing.clause!r}: {missing.text}" for missing in gaps)
    return (
        f"not accepted, not proven yet:\n{lacks}\nIf the step is not done, go on. If it is done and this is what the "
        "product shows, finish with fail."
    )
