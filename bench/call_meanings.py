"""What tool calls mean, as clauses that can be compared with labels. Pure."""

from collections.abc import Callable, Sequence

from meanings import Clause, is_same
from msgspec import structs

from muster_grammar.markup_texts import SELECTORS
from muster_protocol.narrowing import Relation, narrowing_of
from muster_protocol.tool_calls import ToolCall

_Read = Callable[[ToolCall], Clause]


def _of_element(does: str) -> _Read:
    def read(call: ToolCall) -> Clause:
        role, name = _text(call, "role"), _text(call, "element")
        place, column, ordinal = _narrowed(call)
        if trait := _trait(call):  # "the search field" is known by its type, as testers name it
            return Clause(
                does, kind=role.replace("textbox", ""), name=trait, place=place, column=column, ordinal=ordinal
            )
        kind, name = (
            ("", f"css={name}") if role in SELECTORS else ("" if role in {"field", "section", "icon"} else role, name)
        )
        return Clause(does, kind=kind, name=name, place=place, column=column, ordinal=ordinal)

    return read


def _trait(call: ToolCall) -> str:
    within = call.arguments.get("within")
    trait = narrowing_of([str(one) for one in within] if isinstance(within, list) else str(within or "")).trait
    return trait.replace("multiline", "")


def _narrowed(call: ToolCall) -> tuple[str, str, str]:
    """Return the place that an element is in (its name, else its role), the column, and which of several it is."""
    within = call.arguments.get("within")
    told = narrowing_of([str(one) for one in within] if isinstance(within, list) else str(within or ""))
    column = next((one.anchor for one in told.relations if one.how == "in_column"), "")
    places = [_place(one) for one in told.relations if one.how != "in_column"]
    ordinal = "last" if told.ordinal < 0 else str(told.ordinal or "")
    return (places[0] if places else "", column, ordinal)


def _place(relation: Relation) -> str:
    """Return what a place is called: its name or its kind, and of markup the selector."""
    named = relation.anchor or _LANDMARKS.get(relation.role, relation.role)
    return f"css={relation.anchor}" if relation.role in SELECTORS else named


_LANDMARKS = {"banner": "header", "contentinfo": "footer", "complementary": "sidebar"}
"""What testers call the parts of a page that have a role of their own."""


def _with(does: str, value: str, *, match: str = "is") -> _Read:
    """Return the reading of a call about an element and a value, compared as `match` unless the call says how."""

    def read(call: ToolCall) -> Clause:
        how = (_text(call, "match") or match).replace("includes", "is") if does == "compare" else ""
        denied = bool(call.arguments.get("negate") or call.arguments.get("absent"))
        return structs.replace(_of_element(does)(call), value=_text(call, value), match=how, denied=denied)

    return read


def _compared(does: str, value: str, *, default: str, part: str = "", name: str = "") -> _Read:
    def read(call: ToolCall) -> Clause:
        return Clause(
            does,
            name=_text(call, name),
            value=_text(call, value),
            match=_text(call, "match") or default,
            part=_text(call, part),
            denied=bool(call.arguments.get("negate")),
        )

    return read


def _valued(does: str, value: str) -> _Read:
    return lambda call: Clause(does, value=_text(call, value), denied=bool(call.arguments.get("negate")))


def _seen_text(call: ToolCall) -> Clause:
    match = "is" if call.arguments.get("exact") else ""
    absent = bool(call.arguments.get("absent"))
    place, column, _ = _narrowed(call)
    return Clause("see text", name=_text(call, "text"), place=place, column=column, match=match, denied=absent)


def _seen(call: ToolCall) -> Clause:
    return structs.replace(_of_element("see element")(call), denied=bool(call.arguments.get("absent")))


def _counted(call: ToolCall) -> Clause:
    how = (_text(call, "comparison") or "is").replace("_", " ")
    return structs.replace(_of_element("count")(call), value=_text(call, "count"), match=how)


def _scrolled(call: ToolCall) -> Clause:
    return (
        _of_element("locate")(call) if "element" in call.arguments else Clause("scroll", value=_text(call, "direction"))
    )


def _waited(call: ToolCall) -> Clause:
    if "seconds" in call.arguments and len(call.arguments) == 1:
        return Clause("wait", value=_text(call, "seconds"))
    gone = "gone" in call.arguments
    return Clause("see text", name=_text(call, "gone" if gone else "text"), denied=gone)


def _dialog(call: ToolCall) -> Clause:
    return Clause("accept dialog" if call.arguments.get("accept") else "dismiss dialog", value=_text(call, "text"))


def _file(call: ToolCall) -> Clause:
    if "text" in call.arguments:
        return _compared("file text", "text", default="contains", name="path")(call)
    return Clause("file", name=_text(call, "path"), denied=bool(call.arguments.get("absent")))


def _attribute(call: ToolCall) -> Clause:
    read = _with("attribute", "value")(call)
    match = _text(call, "match") or "is"
    leads = _text(call, "attribute") == "href" and read.value.startswith("/")
    return structs.replace(read, part=_text(call, "attribute"), match="is" if leads else match)


def _remembered(call: ToolCall) -> Clause:
    place = structs.replace(_of_element("remember")(call), kind="")
    return structs.replace(place, name=_text(call, "name"), value=_text(call, "pattern"), part=_text(call, "source"))


def _request(call: ToolCall) -> Clause:
    return Clause("request", name=_text(call, "url"), value=_text(call, "body"), part=_text(call, "method"))


def _each(call: ToolCall) -> Clause:
    """What every element of a kind must be is a state; what each of them shows is a text."""
    is_state = "state" in call.arguments
    read = _of_element("state" if is_state else "every")(call)
    value, match = (_text(call, "state"), "") if is_state else (_text(call, "text"), "contains")
    denied = bool(call.arguments.get("absent"))
    return structs.replace(read, value=value, match=match, ordinal="every" if is_state else "", denied=denied)


_READ: dict[str, _Read] = {
    **{does: _of_element(does) for does in ("click", "hover", "check", "uncheck", "clear")},
    "double_click": _of_element("double-click"),
    "long_press": _of_element("long-press"),
    "browser_right_click": _of_element("right-click"),
    "browser_download": _of_element("download"),
    "type": _with("type", "text"),
    "select": _with("select", "options"),
    "browser_upload": _with("upload", "files"),
    "press": _with("press", "key"),
    "check_value": _with("compare", "value"),
    "check_state": _with("state", "state"),
    "check_options": _with("options", "options"),
    "check_text": _seen_text,
    "check_visible": _seen,
    "check_count": _counted,
    "check_page": lambda call: Clause("see element", kind="heading", name=_text(call, "name")),
    "check_attribute": _attribute,
    "check_response_header": _compared("header", "value", default="is", name="header"),
    "drag": _with("drag", "to"),
    "check_title": _compared("title", "title", default="is"),
    "check_url": _compared("url", "url", default="is"),
    "check_output": _compared("output", "text", default="contains", part="stream"),
    "check_response_text": _compared("response text", "text", default="contains"),
    "check_dialog": _compared("dialog text", "text", default="is"),
    "check_exit_code": _valued("exit code", "code"),
    "check_response": _valued("status", "status"),
    "check_file": _file,
    "browser_navigate": _valued("open", "url"),
    "execute_command": _valued("run", "command"),
    "browser_reload": lambda _: Clause("reload"),
    "back": lambda _: Clause("back"),
    "browser_forward": lambda _: Clause("forward"),
    "scroll": _scrolled,
    "wait_for": _waited,
    "dialog": _dialog,
    "remember": _remembered,
    "http_request": _request,
    "check_json": _compared("json", "value", default="is", name="path"),
    "write_file": lambda call: Clause("write file", name=_text(call, "path"), value=_text(call, "content")),
    "read_file": lambda call: Clause("read file", name=_text(call, "path")),
    "check_each": _each,
    "check_order": _valued("order", "texts"),
    "use_app": lambda call: Clause("app", value=_text(call, "to")),
    "rotate": _valued("rotate", "to"),
    "hide_keyboard": lambda _: Clause("hide keyboard"),
}


def clause_of(call: ToolCall) -> Clause:
    """Return what a tool call means; of a tool that no label speaks of, its name."""
    read = _READ.get(call.tool)
    return read(call) if read else Clause(call.tool)


def is_meant(label: Sequence[Clause], calls: Sequence[ToolCall]) -> bool:
    """Return whether calls mean what a label says, clause by clause, and no more."""
    calls = [call for at, call in enumerate(calls) if not any(_is_twice(call, other) for other in calls[:at])]
    if len(calls) > len(label):
        label, calls = _on_its_page(label, calls)
    read = [clause_of(call) for call in calls if call.tool != "make_value"]
    made = {f"${{{_text(call, 'name')}}}": call for call in calls if call.tool == "make_value"}
    read = [structs.replace(it, value=_made(made[it.value])) if it.value in made else it for it in read]
    return len(label) == len(read) and all(map(is_same, label, read))


def _is_twice(call: ToolCall, other: ToolCall) -> bool:
    """Return whether a check stands for two parts of a sentence, as for the names of a list."""
    return (call.tool, call.arguments) == (other.tool, other.arguments) and call.clause != other.clause


def _on_its_page(label: Sequence[Clause], calls: Sequence[ToolCall]) -> tuple[Sequence[Clause], Sequence[ToolCall]]:
    """Leave out checks of the page that something is done on, which labels leave out or have as its place."""
    pages = {_text(call, "name") for call in calls[:-1] if call.tool == "check_page"}
    if not pages or any(clause.does == "page" for clause in label):
        return label, calls
    bare = [structs.replace(clause, place="", place_kind="") if clause.place in pages else clause for clause in label]
    return bare, [call for call in calls if call.tool != "check_page" or _text(call, "name") not in pages]


def _made(call: ToolCall) -> str:
    """Return a value that is made up, as labels say it: `date: today`."""
    return f"{_text(call, 'kind')}: {_text(call, 'day')}".removesuffix(": ")


def _text(call: ToolCall, key: str) -> str:
    value = call.arguments.get(key)
    if isinstance(value, list):
        return " | ".join(value)
    return "" if value is None else str(value)
