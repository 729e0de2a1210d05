"""The tool that generates values: dates relative to today, and texts that no other run has."""

import hashlib
import random
from collections.abc import Callable
from typing import Annotated, Literal

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.fleet_time import today
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.capture_tool import key_of
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import NOTHING, Argument
from muster_text.days import day_of, written
from muster_text.text_match import quote

_LETTERS = "abcdefghijkmnpqrstuvwxyz"


def _word(dice: random.Random, size: int = 8) -> str:
    return "".join(dice.choice(_LETTERS) for _ in range(size))


_MAKERS: dict[str, Callable[[random.Random], str]] = {
    "text": _word,
    "name": lambda dice: _word(dice).capitalize(),
    "email": lambda dice: f"{_word(dice)}@example.com",
    "number": lambda dice: str(dice.randrange(100_000, 1_000_000)),
    "phone": lambda dice: f"+1202555{dice.randrange(100, 10_000):04}",
    "password": lambda dice: f"{_word(dice, 6).capitalize()}-{dice.randrange(1000, 10_000)}",
}


@tool(effect="read", group="values", needs=NOTHING, page=False, offer=offers.VALUES)
async def make_value(
    ctx: ToolContext,
    name: Annotated[str, Argument.OPTION],
    kind: Annotated[Literal["date", "text", "name", "email", "number", "phone", "password"], Argument.OPTION],
    *,
    day: Annotated[str, Argument.OPTION] = "today",
    form: Annotated[str, Argument.OPTION] = "",
) -> ToolOutcome:
    """Make a value up and remember it under a name: a date, or a text that no other run has.

    `day` is `today`, `tomorrow`, `today + 3 days` …; `form` is how a date is written, such as `dd.mm.yyyy`.
    """
    key = key_of(name)
    value = date_for(day, form) if kind == "date" else _MAKERS[kind](_dice(ctx.call, kind))
    return ToolOutcome(status="ok", text=f"Made {quote(value)} up, as ${{{key}}}.", captured={key: value})


def date_for(day: str, form: str) -> str:
    """Return a day in words, such as `tomorrow`, as a date in a form.

    Raises:
        ToolError: it is no day.
    """
    found = day_of(day, today())
    if found is None:
        raise ToolError(f"{day!r} is not a day, such as `today + 3 days`", failure=Failure.INVALID_CALL)
    return written(found, form)


def _dice(call: str, kind: str) -> random.Random:
    """Return dice that fall the same in each attempt at a sub-task, and in no other run."""
    task, _, index = call.rpartition(":")
    seed = hashlib.sha256(f"{task.rpartition('.')[0]}:{index}:{kind}".encode()).digest()
    return random.Random(seed)
