"""Recorded calls as the calls of tools that phrases would read. Pure."""

from collections.abc import Sequence

from muster_protocol.requests import Step
from muster_protocol.step_recordings import RecordedCall, StepRecording
from muster_protocol.tool_calls import ToolCall
from muster_text.text_match import squash


def find_recording(step: Step, recordings: Sequence[StepRecording]) -> StepRecording | None:
    """Return the recording of a written step on a web page; None if there is none, or several that differ."""
    words = (squash(step.action), squash(step.expected))
    found = [one for one in recordings if (squash(one.action), squash(one.expected)) == words and one.device == "web"]
    return found[0] if found and all(one.calls == found[0].calls for one in found) else None


def recorded_acts(recording: StepRecording) -> tuple[RecordedCall, ...]:
    """Return what was done, without the checks."""
    return tuple(call for call in recording.calls if not call.clause)


def recorded_checks(recording: StepRecording, clause: str) -> tuple[ToolCall, ...]:
    """Return the checks that have proved a clause."""
    return tuple(call_of(call) for call in recording.calls if call.clause and squash(call.clause) == squash(clause))


def call_of(recorded: RecordedCall) -> ToolCall:
    """Return the call of a tool that names the recorded target by its role, its name, and the part that it is in."""
    target = recorded.target
    if target is None:
        return ToolCall(tool=recorded.tool, arguments=recorded.arguments, clause=recorded.clause)
    name = target.name or next(iter(target.aliases), "")
    named = {"element": name, "role": target.role, "within": target.place}
    return ToolCall(tool=recorded.tool, arguments={**recorded.arguments, **named}, clause=recorded.clause)
