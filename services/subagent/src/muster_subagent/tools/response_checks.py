"""Checks of parts of the last HTTP response: its headers, and what its JSON holds."""

import re
from typing import Annotated, Any

import msgspec

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import Relating, compares, says
from muster_subagent.tools.http_tools import HttpSeen, last_response
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import NOTHING, Argument, Denied, Wanted
from muster_text.amounts import RELATIONS
from muster_text.text_match import listed, quote

_PART = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")


async def _requested(ctx: ToolContext) -> HttpSeen:
    """Return the last response of `http_request`.

    Raises:
        ToolError: it is of a page, of which neither headers nor JSON are kept.
    """
    seen = await last_response(ctx)
    if not seen.headers:
        text = "the last response is that of a page: headers and JSON are those of requests that a step sends"
        raise ToolError(text, failure=Failure.INVALID_CALL, where=seen.url)
    return seen


@tool(
    effect="check", group="checks", needs=NOTHING, page=False, about="response", partial=True, offer=offers.WEB_CHECKS
)
async def check_response_header(
    ctx: ToolContext, header: Annotated[str, Argument.OBJECT], value: Wanted, match: Relating = "is"
) -> ToolOutcome:
    """Check a header of the last response to an HTTP request."""
    seen = await _requested(ctx)
    found = seen.headers.get(header.strip().lower())
    expected = f"the header {header} {says(match, value)}"
    if found is None:
        return verdict(False, expected, f"no such header; there are {listed(sorted(seen.headers))}", seen.url)
    return verdict(compares(found, ctx.secrets.mask(value), match), expected, quote(found), seen.url)


@tool(
    effect="check", group="checks", needs=NOTHING, page=False, about="response", partial=True, offer=offers.WEB_CHECKS
)
async def check_json(
    ctx: ToolContext,
    path: Annotated[str, Argument.OBJECT] = "",
    value: Annotated[str | None, Argument.WANTED] = None,
    match: Relating = "is",
    *,
    negate: Denied = False,
) -> ToolOutcome:
    """Check that the last response is JSON, has a value at a path such as `items[0].name`, and what it is or is not."""
    if negate and (match in RELATIONS or value is None):
        raise ToolError(
            "`negate` needs a value that is, contains, starts, ends or matches", failure=Failure.INVALID_CALL
        )
    seen = await _requested(ctx)
    said = "is there" if value is None else says(match, value, negate=negate)
    expected = f"the JSON value {quote(path)} {said}"
    try:
        body: Any = msgspec.json.decode(seen.body)
    except msgspec.DecodeError:
        if seen.cut:
            text = "only the beginning of the response was read"
            raise ToolError(text, failure=Failure.NO_EVIDENCE, where=seen.url) from None
        return verdict(False, expected if path else "the response is JSON", quote(seen.body, 200), seen.url)
    if not path:
        return verdict(True, "the response is JSON", quote(seen.body, 200), seen.url)
    found = value_at(body, path)
    if found is None:
        return verdict(False, expected, f"no such value in {quote(seen.body, 200)}", seen.url)
    holds = value is None or compares(found, ctx.secrets.mask(value), match, denied=negate) != negate
    return verdict(holds, expected, quote(found), seen.url)


def value_at(body: Any, path: str) -> str | None:  # noqa: ANN401 - JSON
    """Return the value at a path as text, or None if there is none; a key that is the whole path comes first. Pure."""
    try:
        return _text(body[path])
    except (LookupError, TypeError):
        at = body
    for index, key in _PART.findall(path.removeprefix("$.").removeprefix("$")):
        try:
            at = at[int(index)] if index else at[key]
        except (LookupError, TypeError, ValueError):  # Python reads no number of thousands of digits
            return None
    return _text(at)


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
