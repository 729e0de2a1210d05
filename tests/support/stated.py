"""Acts and checks as the real tools state them, for tests of the rules that read their facts."""

from msgspec.structs import replace

from muster_protocol.facts import Act, Capture, Evidence
from muster_protocol.tool_calls import ArgumentValue, ToolCall
from muster_subagent.tools import TOOLS, declared
from muster_subagent.tools.intents import intended_act, intended_capture, intended_check


def act(tool: str, **given: ArgumentValue) -> Act:
    """Return an act that was carried out and saw its effect."""
    stated = intended_act(declared(TOOLS, tool), ToolCall(tool=tool, arguments=given))
    return replace(stated, call=1, status="ok", confirmed=True)


def check(
    clause: str, tool: str, *, call: int = 3, passed: bool = True, seen: str = "", **given: ArgumentValue
) -> Evidence:
    """Return a check that a model bound to a clause."""
    stated = intended_check(declared(TOOLS, tool), ToolCall(tool=tool, arguments=given, clause=clause))
    return replace(stated, call=call, passed=passed, seen=seen)


def capture(tool: str, as_name: str, /, **given: ArgumentValue) -> Capture:
    """Return where a value was taken from."""
    return intended_capture(declared(TOOLS, tool), ToolCall(tool=tool, arguments=given), as_name)
