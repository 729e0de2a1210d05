"""Chooses the tools that a model sees: those that the step and the page suggest, and further groups on request.
Pure."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from muster_subagent.tools import Tool, Tools
from muster_subagent.tools.end import finish
from muster_subagent.tools.page_view import roles
from muster_subagent.tools.traits import DEVICE, Argument, Offer
from muster_text.wording import strip_literals

OPEN_TOOLS = "open_tools"
"""The call with which a model asks for a further group."""
FINISH = finish.name

_COMMAND_LINE = re.compile(r"\b(command|terminal|shell|command line|folder|directory|install|script)\b", re.IGNORECASE)
_BROWSER = re.compile(r"\b(page|click|button|link|browser|url|field|form|tab)\b", re.IGNORECASE)


class Toolset(NamedTuple):
    """What a model may call now."""

    names: tuple[str, ...]
    schemas: tuple[dict[str, Any], ...]

    @property
    def text(self) -> str:
        """The schemas as the server gets them, to count their length."""
        return json.dumps(self.schemas, separators=(",", ":"))


def wants_page(text: str) -> bool:
    """Return whether a step is one that looks at a page, rather than at the command line alone."""
    return not _COMMAND_LINE.search(text) or bool(_BROWSER.search(text))


def offers(tools: Tools) -> dict[Offer, tuple[Tool, ...]]:
    """Return what models are offered together."""
    found: dict[Offer, list[Tool]] = {}
    for tool in tools.values():
        found.setdefault(tool.offer or Offer(tool.group), []).append(tool)
    return {offer: tuple(members) for offer, members in found.items()}


def groups_for(tools: Tools, text: str, view: str = "", *, clauses: Sequence[str] = ()) -> frozenset[str]:
    """Return the names of the offers that a step's words, or the page as it is shown (`view`), ask for; checks by the
    words of the clauses that the model must prove."""
    on_page, there = wants_page(text), roles(view)

    def asked_for(offer: Offer, members: Sequence[Tool]) -> bool:
        if offer.view and offer.view in view:
            return True
        if all(tool.effect == "check" for tool in members):
            return bool(clauses) and _speak_of(offer, clauses)
        wanted = offer.roles & there or (offer.words and offer.words.search(text))
        return bool(wanted) and (on_page or not of_page(members))

    return frozenset(offer.name for offer, members in offers(tools).items() if asked_for(offer, members))


def _speak_of(offer: Offer, clauses: Sequence[str]) -> bool:
    """Return whether clauses speak of what an offer checks; the plain checks are for all of them."""
    return offer.words is None or any(offer.words.search(strip_literals(clause)) for clause in clauses)


def of_page(members: Sequence[Tool]) -> bool:
    """Return whether tools are about a page, all of them."""
    return all(tool.needs >= DEVICE for tool in members)


def ambiguous(view: str) -> bool:
    """Return whether names do not say which element of a page is meant, as it is shown to a model."""
    return bool(_MARKED.search(view))


def toolset(
    tools: Tools,
    opened: Collection[str],
    *,
    on_page: bool,
    by_name: bool = False,
    seen: bool = False,
    ending: Tool = finish,
) -> Toolset:
    """Return the tools of a step, of those that it may use, with the groups opened so far.

    `on_page`: it looks at a page; `by_name`: names are enough there to say which element is meant; `seen`: the model
    has the whole page as it is now. `ending` is the tool that ends the sub-task.
    """
    offered = offers(tools)
    always = [tool for offer, members in offered.items() if not offer.name and on_page for tool in members]
    shown = [*always, *(tool for offer, members in offered.items() if offer.name in opened for tool in members)]
    shown = [tool for tool in shown if not (seen and tool.outline == "whole")]
    closed = [offer.name for offer in offered if offer.name and offer.name not in opened]
    without = _UNTOLD | _PLACES if by_name else _UNTOLD
    schemas = [_schema(tool, without) for tool in shown]
    if closed:
        schemas.append(_opening(closed))
    names = (tool.name for tool in shown)
    return Toolset((*names, OPEN_TOOLS, FINISH), (*schemas, _schema(ending, _UNTOLD)))


def may_open(tools: Tools, group: str) -> bool:
    """Return whether there is such a group."""
    return bool(group) and any(offer.name == group for offer in offers(tools))


_UNTOLD = frozenset({Argument.KIND, Argument.DETAIL})
"""Parameters that a model can do without."""
_PLACES = frozenset({Argument.PLACE, Argument.REF})
"""Parameters that tell elements of the same name apart."""
_EXPLAINED = frozenset({Argument.ELEMENT, Argument.PLACE, Argument.REF, Argument.KIND})
"""Parameters that the prompt explains once for all tools."""
_MARKED = re.compile(r" \[(?:f\d+)?e\d+\]")


def _schema(tool: Tool, without: frozenset[Argument]) -> dict[str, Any]:
    """Return a tool's schema without what a model does not need: defaults, and some parameters."""
    if tool.served_by is not None:
        return tool.schema
    function = tool.schema["function"]
    properties = {
        name: _short(value, explained=not _EXPLAINED.isdisjoint(tool.marks[name]))
        for name, value in function["parameters"]["properties"].items()
        if without.isdisjoint(tool.marks[name])
    }
    if tool.effect == "check":
        properties["clause"] = {"type": "integer"}
    required = function["parameters"]["required"]
    parameters = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    described = function["description"].partition("\n")[0] if tool.brief is None else tool.brief
    told = {"description": described} if described else {}
    return {"type": "function", "function": {"name": tool.name, **told, "parameters": parameters}}


def _short(parameter: Mapping[str, Any], *, explained: bool) -> dict[str, Any]:
    if explained:
        return {"type": "string"}
    kept = {key: value for key, value in parameter.items() if key in ("type", "enum", "items", "anyOf")}
    told = parameter.get("description", "")
    return {**kept, **({"description": told} if told else {})}


def _opening(closed: Sequence[str]) -> dict[str, Any]:
    description = f"More tools: {', '.join(closed)}"
    parameters = {"type": "object", "properties": {"group": {"type": "string"}}, "required": ["group"]}
    return {"type": "function", "function": {"name": OPEN_TOOLS, "description": description, "parameters": parameters}}
