"""Verdicts as messages for people, as Slack and those that work like it take them. Pure."""

from typing import cast

from muster_protocol.verdicts import Verdict
from muster_text.text_match import both_ends
from muster_views.texts import strip_controls

LONGEST = 2_500
"""Characters of a summary; these receivers cut long messages."""
_MARKS = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "*": "∗", "_": "‗", "`": "ˋ", "~": "∼", "[": "［", "]": "］", "@": "＠"}
)
"""What would make a text of somebody else a link under another name, a picture that is fetched, a mention of everybody,
or Muster's own emphasis: in Slack's marks and in Mattermost's Markdown."""


def describe_verdict(verdict: Verdict) -> str:
    """Return a verdict as a message. Text from agents and pages cannot mention people or disguise links in it."""
    cause = f" (cause {verdict.cause})" if verdict.cause else ""
    found = f", {_plain(classification)}" if (classification := _classification(verdict)) else ""
    head = f"*{verdict.status.upper()}{cause}{found}* {_plain(verdict.name)} ({verdict.run})"
    return f"{head}\n{_plain(both_ends(verdict.summary, LONGEST))}" if verdict.summary else head


def _classification(verdict: Verdict) -> str:
    output = verdict.results[-1].assigned.output if verdict.results else None
    if not isinstance(output, dict):
        return ""
    fields = cast("dict[str, object]", output)
    told = (fields.get("classification"), fields.get("severity"))
    return ", ".join(it[:40] for it in told if isinstance(it, str))


def _plain(text: str) -> str:
    return strip_controls(text).translate(_MARKS)
