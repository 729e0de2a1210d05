"""Which tools a model sees: about ten to begin with, further groups on request, each in few words. Pure."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from muster_subagent.tools import GROUPS, TOOLS_BY_NAME

OPEN_TOOLS = "open_tools"
"""The call with which a model asks for a further group."""
FINISH = "finish"

FIRST = (
    "browser_click",
    "browser_type",
    "browser_select",
    "browser_press",
    "browser_navigate",
    "browser_snapshot",
    "browser_find",
)
"""What most steps need."""

_OTHERS: dict[str, tuple[str, ...]] = {
    "forms": ("browser_check", "browser_uncheck", "browser_clear", "browser_upload", "browser_download"),
    "pointer": ("browser_hover", "browser_double_click", "browser_right_click", "browser_scroll"),
    "pages": (
        "browser_back",
        "browser_forward",
        "browser_reload",
        "browser_wait_for",
        "browser_tabs",
        "browser_tab_new",
        "browser_tab_switch",
        "browser_tab_close",
    ),
    "dialog": ("browser_dialog", "check_dialog"),
    "inspect": ("browser_take_screenshot", "browser_console", "browser_network"),
    "checks": tuple(tool.name for tool in GROUPS["checks"]),
    "shell": tuple(tool.name for tool in GROUPS["shell"]),
    "web": tuple(tool.name for group in ("web", "search") for tool in GROUPS.get(group, ())),
    "values": tuple(tool.name for tool in GROUPS["values"]),
    "people": tuple(tool.name for tool in GROUPS["people"]),
}
"""Groups that are opened when they are asked for, or when the step's words ask for them."""

_BRIEF = {
    "browser_click": "Click an element; says what changed.",
    "browser_type": "Type into a field, replacing what it holds.",
    "browser_select": "Choose options of a list by their text.",
    "browser_press": "Press a key, such as Enter or Control+a.",
    "browser_navigate": "Open an address.",
    "browser_snapshot": "Show the page, a part of it, or so many levels.",
    "browser_find": "Find elements by their words.",
    FINISH: "End the step.",
}
"""What the tools that most steps need are told as; their parameters say the rest."""

_WORDS = {
    "forms": re.compile(r"\b(checkbox|tick|untick|uncheck|check the|upload|attach|download|clear)\b", re.IGNORECASE),
    "pointer": re.compile(r"\b(hover|double[- ]click|right[- ]click|scroll)\b", re.IGNORECASE),
    "pages": re.compile(r"\b(wait|tab|tabs|reload|refresh|go back|back button)\b", re.IGNORECASE),
    "dialog": re.compile(r"\b(dialog|alert|confirm|prompt|pop-?up)\b", re.IGNORECASE),
    "shell": re.compile(r"\b(command|terminal|shell|file|folder|directory|install|run|script|curl)\b", re.IGNORECASE),
    "web": re.compile(r"\b(http|api|request|endpoint|web search|search the web)\b", re.IGNORECASE),
    "values": re.compile(r"\b(remember|note|store|save) .*(as|under)\b|\$\{", re.IGNORECASE),
    "people": re.compile(r"\b(ask|asks|captcha|one-time|code (?:from|in) the (?:mail|e-?mail|sms))\b", re.IGNORECASE),
}
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


def groups_for(text: str, *, has_clauses: bool) -> tuple[str, ...]:
    """Return the groups that the words of a step ask for; checks where a clause must be proven by the model."""
    found = [group for group, words in _WORDS.items() if words.search(text)]
    return (*found, *(("checks",) if has_clauses else ()))


def toolset(opened: Collection[str], allowed: Collection[str], text: str) -> Toolset:
    """Return the tools of a step with the groups opened so far; `allowed` are the groups of the role's tools."""
    permitted = {tool.name for group in allowed for tool in GROUPS.get(group, ())}
    first = FIRST if wants_page(text) else ()
    wanted = [*first, *(name for group, names in _OTHERS.items() if group in opened for name in names)]
    names = [name for name in dict.fromkeys(wanted) if name in permitted]
    closed = [group for group, names in _OTHERS.items() if group not in opened and permitted & set(names)]
    schemas = [_schema(name) for name in names]
    if closed:
        schemas.append(_opening(closed))
    return Toolset((*names, OPEN_TOOLS, FINISH), (*schemas, _schema(FINISH)))


def may_open(group: str) -> bool:
    """Return whether there is such a group."""
    return group in _OTHERS


def _schema(name: str) -> dict[str, Any]:
    """Return a tool's schema without what a model does not need: defaults, and the roles it can leave out."""
    tool = TOOLS_BY_NAME[name]
    function = tool.schema["function"]
    properties = {
        key: _short(key, value) for key, value in function["parameters"]["properties"].items() if key != "role"
    }
    if name.startswith("check_"):
        properties["clause"] = {"type": "integer", "description": "Number of the clause it proves"}
    required = function["parameters"]["required"]
    parameters = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    described = _BRIEF.get(name) or function["description"].partition("\n")[0]
    return {"type": "function", "function": {"name": name, "description": described, "parameters": parameters}}


_LEFT_OUT = ("role", "depth")
"""Parameters that a model can do without."""
_TOLD = ("element", "within", "ref", "role")
"""Parameters that the prompt explains once for all tools."""


def _short(name: str, parameter: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in parameter.items() if key in ("type", "enum", "items", "anyOf")}
    told = parameter.get("description", "")
    return {**kept, **({"description": told} if told and name not in _TOLD else {})}


def _opening(closed: Sequence[str]) -> dict[str, Any]:
    description = f"Get more tools; groups: {', '.join(closed)}."
    parameters = {"type": "object", "properties": {"group": {"type": "string"}}, "required": ["group"]}
    return {"type": "function", "function": {"name": OPEN_TOOLS, "description": description, "parameters": parameters}}
