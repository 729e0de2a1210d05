"""The outcome of a step whose recording missed: a diff of the recorded and the actual calls. Pure."""

import difflib
from collections.abc import Mapping

from muster_protocol.causes import Failure
from muster_protocol.step_recordings import HealPolicy, RecordedCall, Replay
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import CHANGING
from muster_text.values import fill_known
from muster_views.attempt_views import HealingView, HealLine
from muster_views.proofs import artifact_names

_ACCEPTED: Mapping[HealPolicy, str] = {
    "use": "accepted: it replaces the recording",
    "propose": "accepted: it waits for `muster recordings promote`",
    "off": "accepted",
}


def view_healing(result: SubTaskResult, policy: HealPolicy, values: Mapping[str, str]) -> HealingView | None:
    """Return the episode in which a recording missed; None if it did not."""
    replay = result.step.replay
    if replay is None or not replay.miss:
        return None
    return HealingView(
        key=replay.key,
        reason=replay.miss.replace("_", " "),
        why=replay.why,
        policy=policy,
        outcome=_outcome(result, policy),
        accepted=result.status == "pass",
        lines=_difference(replay, values),
        pictures=artifact_names(replay.pictures),
    )


def _outcome(result: SubTaskResult, policy: HealPolicy) -> str:
    if result.status == "pass":
        return _ACCEPTED[policy]
    if result.source == "recording":
        return "not tried: healing is off" if policy == "off" else "not tried: no model could put it right"
    refused = result.failure == Failure.RECORDING_MISSED
    return "refused: it is not shown to be the same thing" if refused else "the step failed"


def _difference(replay: Replay, values: Mapping[str, str]) -> tuple[HealLine, ...]:
    """Return the acts that were recorded and left, and those that were done, as lines of a diff."""
    old = [_words(call, values) for call in replay.left if call.effect in CHANGING]
    new = [_words(call, values) for call in replay.done if call.effect in CHANGING]
    lines: list[HealLine] = []
    for mark, begin, end, begins, ends in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if mark == "equal":
            lines += [HealLine(mark=" ", text=text) for text in old[begin:end]]
            continue
        lines += [HealLine(mark="-", text=text) for text in old[begin:end]]
        lines += [HealLine(mark="+", text=text) for text in new[begins:ends]]
    return tuple(lines)


def _words(call: RecordedCall, values: Mapping[str, str]) -> str:
    return fill_known(call.words(), values)
