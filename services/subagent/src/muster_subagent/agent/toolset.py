"""Which tools a model sees: what the step and the page ask for, further groups on request, each in few words. Pure."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from muster_subagent.agent.page_view import roles
from muster_subagent.tools import GROUPS, TOOLS_BY_NAME
from muster_subagent.tools.outline import LEFT_OUT

OPEN_TOOLS = "open_tools"
"""The call with which a model asks for a further group."""
FINISH = "finish"
NO_PAGE = "about:blank"
"""Address of a tab in which nothing was opened yet."""

ALWAYS = ("browser_click", "browser_snapshot")
"""What every step on a page may need."""


class Group(NamedTuple):
    """Tools that are shown once a model asks for them, or the step's words or the page show that they are needed."""

    tools: tuple[str, ...]
    words: re.Pattern[str] | None = None
    roles: frozenset[str] = frozenset()
    """What the page has where they are needed."""
    page: bool = True
    """They are of use on a page only."""


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _named(*groups: str) -> tuple[str, ...]:
    return tuple(tool.name for group in groups for tool in GROUPS.get(group, ()))


OFFERED = {
    "typing": Group(
        ("browser_type",),
        _words(r"\b(type|types|enter|fill|write)\b"),
        frozenset({"textbox", "searchbox", "spinbutton"}),
    ),
    "keys": Group(("browser_press",), _words(r"\b(press|presses|key|keys|keyboard|hit|enter|escape)\b")),
    "lists": Group(
        ("browser_select",),
        _words(r"\b(select|choose|pick|option|drop-?down)\b"),
        frozenset({"combobox", "listbox"}),
    ),
    "forms": Group(
        ("browser_check", "browser_uncheck", "browser_clear"),
        _words(r"\b(checkbox|tick|untick|check(?![- ]?out)|uncheck|radio|switch|toggle|clear)\b"),
    ),
    "files": Group(("browser_upload", "browser_download"), _words(r"\b(upload|attach|download)\b")),
    "pointer": Group(
        ("browser_hover", "browser_double_click", "browser_right_click", "browser_scroll"),
        _words(r"\b(hover|double[- ]click|right[- ]click|scroll)\b"),
    ),
    "addresses": Group(
        ("browser_navigate",), _words(r"\b(open|opens|go to|navigate|visit|browse|address|url)\b|https?://")
    ),
    "history": Group(
        ("browser_back", "browser_forward", "browser_reload", "browser_wait_for"),
        _words(r"\b(wait|reload|refresh|go back|back button)\b"),
    ),
    "tabs": Group(
        ("browser_tabs", "browser_tab_new", "browser_tab_switch", "browser_tab_close"), _words(r"\b(tab|tabs|window)\b")
    ),
    "dialog": Group(("browser_dialog",), _words(r"\b(dialog|alert|confirm|prompt|pop-?up)\b")),
    "inspect": Group(("browser_find", "browser_take_screenshot", "browser_console", "browser_network")),
    "checks": Group(_named("checks"), page=False),
    "shell": Group(
        _named("shell"),
        _words(r"\b(command|terminal|shell|file|folder|directory|install|run|script|curl)\b"),
        page=False,
    ),
    "web": Group(
        _named("web", "search"),
        _words(r"\b(http|api|request|endpoint|web search|search the web)\b"),
        page=False,
    ),
    "values": Group(_named("values"), _words(r"\b(remember|note|store|save) .*(as|under)\b|\$\{"), page=False),
    "people": Group(
        _named("people"),
        _words(r"\b(ask|asks|captcha|one-time|code (?:from|in) the (?:mail|e-?mail|sms))\b"),
        page=False,
    ),
}
"""By the names that models ask for them by."""

_BRIEF = {
    "browser_click": "",
    "browser_type": "",
    "browser_select": "",
    "browser_press": "Such as Enter or Control+a.",
    "browser_navigate": "",
    "browser_snapshot": "Show the page, or a part of it.",
    "browser_find": "Find elements by their words.",
    FINISH: "",
}
"""What the tools that most steps need are told as; their names and parameters say the rest."""

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


def groups_for(text: str, view: str = "", *, has_clauses: bool = False) -> frozenset[str]:
    """Return the groups that a step's words, or the page as it is shown (`view`), ask for; checks where a clause must
    be proven by the model."""
    on_page, there = wants_page(text), roles(view)
    found = {
        name
        for name, group in OFFERED.items()
        if (on_page or not group.page) and (group.roles & there or (group.words and group.words.search(text)))
    }
    found |= {"addresses"} if NO_PAGE in view else set()
    found |= {"inspect"} if LEFT_OUT in view else set()
    return frozenset(found | ({"checks"} if has_clauses else set()))


def ambiguous(view: str) -> bool:
    """Return whether names do not say which element of a page is meant, as it is shown to a model."""
    return bool(_MARKED.search(view))


def toolset(opened: Collection[str], allowed: Collection[str], text: str, *, by_name: bool = False) -> Toolset:
    """Return the tools of a step with the groups opened so far; `allowed` are the groups of the role's tools.

    `by_name`: names are enough on the page to say which element is meant.
    """
    permitted = {tool.name for group in allowed for tool in GROUPS.get(group, ())}
    always = ALWAYS if wants_page(text) else ()
    wanted = [*always, *(tool for name, group in OFFERED.items() if name in opened for tool in group.tools)]
    names = [name for name in dict.fromkeys(wanted) if name in permitted]
    closed = [name for name, group in OFFERED.items() if name not in opened and permitted & set(group.tools)]
    schemas = [_schema(name, _PLACES if by_name and name != "browser_snapshot" else ()) for name in names]
    if closed:
        schemas.append(_opening(closed))
    return Toolset((*names, OPEN_TOOLS, FINISH), (*schemas, _schema(FINISH)))


def may_open(group: str) -> bool:
    """Return whether there is such a group."""
    return group in OFFERED


def _schema(name: str, without: Collection[str] = ()) -> dict[str, Any]:
    """Return a tool's schema without what a model does not need: defaults, and the roles it can leave out."""
    tool = TOOLS_BY_NAME[name]
    function = tool.schema["function"]
    properties = {
        key: _short(key, value)
        for key, value in function["parameters"]["properties"].items()
        if key not in (*_LEFT_OUT, *without)
    }
    if name.startswith("check_"):
        properties["clause"] = {"type": "integer", "description": "Number of the clause it proves"}
    required = function["parameters"]["required"]
    parameters = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    described = _BRIEF.get(name, function["description"].partition("\n")[0])
    told = {"description": described} if described else {}
    return {"type": "function", "function": {"name": name, **told, "parameters": parameters}}


_LEFT_OUT = ("role", "depth")
"""Parameters that a model can do without."""
_PLACES = ("within", "ref")
"""Parameters that tell elements of the same name apart."""
_MARKED = re.compile(r" \[(?:f\d+)?e\d+\]")
_TOLD = ("element", "within", "ref", "role")
"""Parameters that the prompt explains once for all tools."""


def _short(name: str, parameter: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in parameter.items() if key in ("type", "enum", "items", "anyOf")}
    told = parameter.get("description", "")
    return {**kept, **({"description": told} if told and name not in _TOLD else {})}


def _opening(closed: Sequence[str]) -> dict[str, Any]:
    description = f"More tools: {', '.join(closed)}"
    parameters = {"type": "object", "properties": {"group": {"type": "string"}}, "required": ["group"]}
    return {"type": "function", "function": {"name": OPEN_TOOLS, "description": description, "parameters": parameters}}
