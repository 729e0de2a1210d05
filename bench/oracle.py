"""An honest model, scripted: it knows what each step means because the step holds a phrase, and never looks twice.

It answers over real HTTP like any OpenAI-compatible endpoint, without latency, so that a bench measures Muster alone.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/support"))

from model_server import Answer, Asked, ModelServer, Script, does, gives, model_server, says

from muster_grammar import parse_action
from muster_protocol.requests import Step, TestCase
from muster_protocol.tool_calls import ToolCall

__all__ = ["LEAD", "Answer", "Asked", "ModelServer", "Script", "does", "freely", "model_server", "oracle"]

LEAD = "As a careful visitor would, take care of this: "
_STEP = re.compile(rf"# Step\n{re.escape(LEAD)}(.*?)(?:\n\n#|\Z)", re.DOTALL)


def freely(case: TestCase) -> TestCase:
    """Return the case with actions in words that no phrase knows; expectations stay as they are."""
    steps = tuple(Step(action=LEAD + step.action, expected=step.expected) for step in case.steps)
    return msgspec.structs.replace(case, steps=steps)


def oracle(asked: Asked) -> Answer:
    """Answer as an able and honest model would."""
    match asked.role:
        case "planner":
            count = len(re.findall(r"^\d+\. ", asked.question, re.MULTILINE))
            return gives(
                {"sub_tasks": [{"covers": [n], "description": "as written", "why": ""} for n in range(1, count + 1)]}
            )
        case "critic":
            return gives({"verdict": "approve", "issues": [], "suggestions": [], "confidence": 1.0})
        case "evaluator":
            reason = "the product does not offer what the step needs"
            empty = {"recovery": "", "recovery_expected": ""}
            return gives({"action": "stop", "reason": reason, "cause": "product", **empty})
        case "executor":
            return _act(asked)
        case _:
            return says("Nothing to add.")


def _act(asked: Asked) -> Answer:
    """Make the calls of the step that are not done yet, and claim a pass; claim a fail where one failed twice."""
    found = _STEP.search(asked.question)
    assert found, asked.question
    calls = parse_action(found.group(1).strip())
    results = [str(message["content"]) for message in asked.messages if message["role"] == "tool"]
    failed = [text for text in results if text.startswith("error")]
    if failed or any(text.startswith("not accepted") for text in results):
        return does(("finish", {"status": "fail", "summary": "it cannot be done", "blocked": bool(failed)}))
    done = sum(not text.startswith("not done") for text in results if not text.startswith("taken"))
    return does(*_asked_for(calls[done:]), ("finish", {"status": "pass", "summary": "done"}))


def _asked_for(calls: Sequence[ToolCall]) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool, {name: value for name, value in call.arguments.items() if value is not None}) for call in calls]
