"""Judges the output of an agent: proof of its acceptance, the requested form, and quotes that it has really read."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec.structs import replace

from muster_model.asked_calls import Asked
from muster_model.reply_parser import Claimed
from muster_protocol.assignments import Found
from muster_protocol.causes import Failure
from muster_protocol.kinds import AssignOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.assignment_end import Delivered, read_delivery
from muster_subagent.agent.clause_prover import Clause, prove, worst_of
from muster_subagent.agent.json_schemas import find_fault
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.result_judge import Judge
from muster_subagent.results import shortened
from muster_subagent.tool_executor import ToolExecutor
from muster_text.text_match import squash


class AssignmentJudge(Judge):
    """Knows what one assignment has to bring, and makes its result."""

    def __init__(self, executor: ToolExecutor, asker: Asker, clauses: Sequence[Clause], before: float) -> None:
        super().__init__(executor, asker, before)
        self._clauses = clauses
        self._sent_back: set[str] = set()
        """What was sent back once: proof, output, quotes."""

    async def finish(self, asked: Asked) -> tuple[SubTaskResult | None, str]:
        """Return the result that a call claims, or None, and what the model is told."""
        given = read_delivery(asked)
        if isinstance(given, str):
            return None, f"error: {given}"
        return await self.deliver(given)

    async def judge(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Return the result that a text claims."""
        return await self.deliver(Delivered(claim.status == "pass", claim.summary))

    async def deliver(self, given: Delivered) -> tuple[SubTaskResult | None, str]:
        """Return the result of what is handed in, or None if it is to be mended first, and what is told."""
        if not given.done:
            return self._with(given, self.failed(Failure.GAVE_UP, given.summary)), "taken"
        if gaps := await prove(self._executor, self._clauses):
            lacks = "\n".join(f"- {gap.clause!r}: {gap.text}" for gap in gaps)
            if self._may_mend("proof"):
                return None, f"not accepted, this does not hold yet:\n{lacks}\nGo on, or finish with failed."
            return self._with(given, self.failed(Failure.NO_EVIDENCE, worst_of(gaps).text)), "refused"
        fault = await self._find_fault(given.output)
        if fault:
            if self._may_mend("output"):
                return None, f"not accepted, the output is not of the form that is wanted: {fault}. Finish again."
            return self._with(
                given, self.failed(Failure.UNPARSABLE, f"the output is not as wanted: {fault}")
            ), "refused"
        invented = [it.quote or it.file for it in given.findings if not self._has_read(it)]
        if invented and self._may_mend("quotes"):
            return None, (
                f"not accepted: {invented[0][:200]!r} is nowhere in what you have read. "
                "Read the place, copy quotes exactly, and name only files that you have seen."
            )
        result = replace(self.facts(), status="pass", summary=shortened(given.summary), unverified=not self._clauses)
        return self._with(given, result), "taken"

    async def _find_fault(self, output: Any) -> str:  # noqa: ANN401 - JSON
        """Return what an output lacks; what a person could mend as well is told the first time alone."""
        wanted = self._task.assigned
        fault = await find_fault(output, wanted.output_schema)
        if fault or wanted.deliverable != "case":
            return fault
        from muster_authoring.case_draft import find_draft_problem  # noqa: PLC0415 - workers start sooner; few draft

        return await asyncio.to_thread(find_draft_problem, output, strict="output" not in self._sent_back)

    def _may_mend(self, what: str) -> bool:
        """Return whether this is the first time that something is wrong with it."""
        first = what not in self._sent_back
        self._sent_back.add(what)
        return first

    def _has_read(self, found: Found) -> bool:
        """Return whether a quote stands word for word in what the agent was given or a tool returned, and whether a
        file without a quote was seen there; whoever asked others knows files by their word."""
        if found.quote:
            return any(squash(found.quote) in squash(text) for text in self._texts(found.quote))
        if not found.file or any(made.tool.delegates for made in self._executor.made):
            return True
        name = PurePosixPath(found.file).name
        return any(name in text for text in (*self._task.assigned.inputs, *self._texts()))

    def _texts(self, words: str = "") -> Iterator[str]:
        """Yield what the agent has read; without the answers to calls that said these words themselves, as a search
        that found nothing, or a command that prints them, shows nothing."""
        yield from (*self._task.assigned.inputs.values(), self._task.assigned.event)
        for made in self._executor.made:
            said = " ".join(map(str, made.call.arguments.values()))
            if words and squash(words) in squash(said):
                continue
            if made.outcome.status == "ok" or words:
                yield made.outcome.text

    def _with(self, given: Delivered, result: SubTaskResult) -> SubTaskResult:
        findings = tuple(replace(it, unread=not self._has_read(it)) for it in given.findings)
        return replace(result, output=replace(result.assigned, findings=findings, output=given.output))

    def facts(self) -> SubTaskResult:
        """Return a failed result that says what was done, seen and spent, and not why."""
        facts = super().facts()
        output = AssignOutput(
            context=self._asker.largest,
            allowed=self._task.budget.calls,
            evidence=facts.step.evidence,
            acts=facts.step.acts,
        )
        return replace(facts, output=output)
