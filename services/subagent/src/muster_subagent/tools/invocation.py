"""The one way to call a tool by name: values and secrets go in here, and nothing secret comes out."""

import json
from collections.abc import Mapping
from time import perf_counter
from typing import TypeGuard

import msgspec

from muster_devices.errors import DeviceLost, DeviceRefused
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import CHANGING, ArgumentValue, ToolCall, ToolOutcome
from muster_subagent import metrics
from muster_subagent.secrets import SecretMissing
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import SessionLost, ToolContext
from muster_subagent.tools.call_permission import NotPermitted, check_call
from muster_subagent.tools.check_outcomes import blamed, proven
from muster_subagent.tools.device_calls import finite
from muster_subagent.tools.intents import intended_check
from muster_subagent.tools.shell_quoting import with_values
from muster_subagent.tools.tool import Tool, ToolError, refused
from muster_subagent.tools.tool_catalogue import TOOLS, Tools, declared, found
from muster_subagent.tools.traits import FEATURES, Argument
from muster_text.values import SECRET, UnknownValue, fill

_REFUSALS = {
    "no_device": Failure.INFRASTRUCTURE,
    "not_found": Failure.ELEMENT_MISSING,
    "full": Failure.INFRASTRUCTURE,
    "busy": Failure.INFRASTRUCTURE,
    "no_sandbox": Failure.INFRASTRUCTURE,
    "no_reader": Failure.COMMAND_MISSING,
    "needs_approval": Failure.INFRASTRUCTURE,
    "fault": Failure.INFRASTRUCTURE,
}


async def call(ctx: ToolContext, call: ToolCall, values: Mapping[str, str], tools: Tools = TOOLS) -> ToolOutcome:
    """Make a tool call and return what came of it; what a tool has to say is in the outcome, never raised.

    Raises:
        SessionLost: the session is gone, or another worker has it.
    """
    started = perf_counter()
    ctx.touched = ctx.acted_on = ctx.place = None
    ctx.clause = call.clause
    try:
        outcome = await _made(ctx, found(tools, call.tool), call, values)
    except NotPermitted as error:
        metrics.TOOL_REFUSALS.labels(error.reason).inc()
        outcome = error.outcome()
    except ToolError as error:
        outcome = error.outcome()
    except SecretMissing as error:
        outcome = ToolError(str(error), failure=Failure.SECRET_MISSING).outcome()
    except SessionRefused as error:
        outcome = ToolError(str(error), failure=_REFUSALS.get(error.reason, Failure.INVALID_CALL)).outcome()
    except DeviceRefused as error:
        outcome = refused(error)
    except DeviceLost as error:
        raise SessionLost(error.reason) from error
    tool = declared(tools, call.tool)
    if call.tool in tools and tool.page:
        outcome = await _weighed(ctx, tool, call, outcome)
    duration, element = (perf_counter() - started) * 1000, finite(ctx.touched)
    if call.tool in tools and tool.page and (element or tool.effect in CHANGING):
        ctx.pointed = element
    made = msgspec.structs.replace(outcome, duration_ms=duration, element=element, touched=ctx.acted_on)
    return _masked(ctx, made)


async def _weighed(ctx: ToolContext, tool: Tool, call: ToolCall, outcome: ToolOutcome) -> ToolOutcome:
    """Return the outcome in the light of what the page is that it was had from."""
    check = intended_check(tool, call)
    holds = outcome.status == "ok" and (tool.effect == "check" or check.denied)
    return await (proven(ctx, check, outcome) if holds else blamed(ctx, outcome))


async def _made(ctx: ToolContext, tool: Tool, call: ToolCall, values: Mapping[str, str]) -> ToolOutcome:
    check_call(ctx, tool, call, values)
    arguments = filled(ctx, tool, call.arguments, values)
    await _refuse_lacking(ctx, tool)
    return await tool.run(ctx, arguments)


async def _refuse_lacking(ctx: ToolContext, tool: Tool) -> None:
    """Refuse a tool that needs more than the session's device can do.

    Raises:
        ToolError: it does; says what is lacking.
    """
    wanted = tool.needs & FEATURES if "device" in tool.needs else frozenset[str]()
    if wanted and (lacking := sorted(wanted - (await ctx.session.device()).features)):
        raise ToolError(f"{tool.name}: this device has no {', '.join(lacking)}", failure=Failure.INVALID_CALL)


def filled(
    ctx: ToolContext, tool: Tool, arguments: Mapping[str, ArgumentValue], values: Mapping[str, str]
) -> dict[str, ArgumentValue]:
    """Return the arguments with values and secrets in them; a shell command keeps its secrets as placeholders.

    Only placeholders of the call itself are secrets: one in a value, which may come from a page, stays text.

    Raises:
        ToolError: a value is not known, or would put a secret's placeholder into a command.
        SecretMissing: a secret is not known.
    """
    command = arguments.get(tool.command) if tool.command else None
    others = {name: value for name, value in arguments.items() if name != tool.command}
    try:
        ready = {name: _with_secrets(ctx, value, values) for name, value in others.items()}
        quoted = _command(command, values) if isinstance(command, str) else command
    except UnknownValue as error:
        raise ToolError(str(error), failure=Failure.INVALID_CALL) from error
    return ready | ({tool.command: quoted} if command is not None else {})


def _with_secrets(ctx: ToolContext, argument: ArgumentValue, values: Mapping[str, str]) -> ArgumentValue:
    def both(text: str) -> str:
        parts = SECRET.split(text)  # every second part is the name of a secret
        return "".join(
            ctx.secrets.fill(f"${{secret:{part}}}") if index % 2 else fill(part, values)
            for index, part in enumerate(parts)
        )

    match argument:
        case str():
            return both(argument)
        case list():
            return [both(item) for item in argument]
        case _:
            return argument


def _command(command: str, values: Mapping[str, str]) -> str:
    """Return a command with its values in it; they must not make up a secret's placeholder that it did not have."""
    quoted = with_values(command, values)
    if SECRET.findall(quoted) != SECRET.findall(command):
        text = "a value would put a secret's placeholder into the command; it is not run"
        raise ToolError(text, failure=Failure.INVALID_CALL)
    return quoted


def _masked(ctx: ToolContext, outcome: ToolOutcome) -> ToolOutcome:
    mask = ctx.secrets.mask
    return msgspec.structs.replace(
        outcome,
        text=mask(outcome.text),
        expected=mask(outcome.expected),
        seen=mask(outcome.seen),
        where=mask(outcome.where),
        alike=tuple(map(mask, outcome.alike)),
        touched=outcome.touched
        and msgspec.structs.replace(
            outcome.touched,
            names=tuple(map(mask, outcome.touched.names)),
            place=mask(outcome.touched.place),
            beside=tuple(map(mask, outcome.touched.beside)),
        ),
        consequence=outcome.consequence
        and msgspec.structs.replace(
            outcome.consequence,
            path=mask(outcome.consequence.path),
            texts=tuple(map(mask, outcome.consequence.texts)),
        ),
        captured={name: mask(value) for name, value in outcome.captured.items()},
    )


def _is_list(value: ArgumentValue) -> TypeGuard[str]:
    """Return whether an argument is a list, written as JSON, which reads badly when it is quoted once more."""
    return isinstance(value, str) and value.startswith("[")


def describe(call: ToolCall, tools: Tools = TOOLS) -> str:
    """Return a call as a log shows it, as in `type("Password", "${secret:PIN}")`; defaults are left out."""
    tool = declared(tools, call.tool)
    fields = {field.encode_name: field for field in msgspec.structs.fields(tool.parameters)}
    element = {name for name, marks in tool.marks.items() if Argument.ELEMENT in marks}
    names = sorted(
        call.arguments, key=lambda name: (name not in element, list(fields).index(name) if name in fields else 99)
    )
    shown: list[str] = []
    for name in names:
        value, field = call.arguments[name], fields.get(name)
        if field is not None and not field.required and value in (field.default, None):
            continue
        text = value if tool.delegates and _is_list(value) else json.dumps(value, ensure_ascii=False)
        plain = name in element or (field is not None and field.required)
        shown.append(text if plain else f"{name}={text}")
    return f"{call.tool}({', '.join(shown)})"
