"""Calls of tools that act, as statements of a script. Pure."""

from collections.abc import Callable

from muster_authoring.exporting.given_arguments import CannotSay, Given
from muster_authoring.exporting.locators import target_of, value_target_of
from muster_authoring.exporting.script_parts import PAGE, Chain, Do, Download, FilePath, Keep, Statement, helper

KEYBOARD, MOUSE = Chain("page.keyboard"), Chain("page.mouse")
SCREEN = 600
"""Pixels that a scroll moves."""


def say_action(tool: str, given: Given) -> Statement | None:
    """Return the statement of a call that acts; None if the tool is none that does.

    Raises:
        CannotSay: the call has no counterpart.
    """
    say = _ACTIONS.get(tool)
    return say(given) if say else None


def _clicked(given: Given) -> Statement:
    target, held = target_of(given), given.text("holding")
    return Do(target.then("click", modifiers=held.split("+")) if held else target.then("click"))


def _typed(given: Given) -> Statement:
    how, text = given.one_of("how", "replace", "keys", "append"), given.text("text")
    if not given.peek("element"):
        return Do(KEYBOARD.then("type", text))
    field = target_of(given, field=True)
    if how == "replace":
        return Do(field.then("fill", text))
    return Do(helper("type_behind" if how == "append" else "type_keys", field, text))


def _selected(given: Given) -> Statement:
    options = given.take("options")
    chosen = options if isinstance(options, list) else [str(options)]
    return Do(target_of(given, field=True).then("select_option", chosen[0] if len(chosen) == 1 else chosen))


def _pressed(given: Given) -> Statement:
    key = given.text("key")
    return Do((target_of(given, field=True) if given.peek("element") else KEYBOARD).then("press", key))


def _scrolled(given: Given) -> Statement:
    if given.peek("element"):
        given.take("direction")
        return Do(target_of(given).then("scroll_into_view_if_needed"), acts=False)
    match given.one_of("direction", "down", "up", "top", "bottom"):
        case "down":
            return Do(MOUSE.then("wheel", 0, SCREEN), acts=False)
        case "up":
            return Do(MOUSE.then("wheel", 0, -SCREEN), acts=False)
        case "top":
            return Do(KEYBOARD.then("press", "Control+Home"), acts=False)
        case _:
            return Do(KEYBOARD.then("press", "Control+End"), acts=False)


def _dragged(given: Given) -> Statement:
    onto = Given({"element": given.take("to"), "role": given.take("to_role"), "within": given.take("to_within")})
    return Do(target_of(given).then("drag_to", target_of(onto)))


def _uploaded(given: Given) -> Statement:
    files = given.take("files")
    paths = [FilePath(path) for path in (files if isinstance(files, list) else [str(files)])]
    return Do(target_of(given, field=True).then("set_input_files", paths[0] if len(paths) == 1 else paths))


def _downloaded(given: Given) -> Statement:
    path = given.text("save_as")
    if not path:
        raise CannotSay("it names no file to save the download as")
    return Download(target_of(given).then("click"), FilePath(path))


def _waited(given: Given) -> Statement:
    seconds = given.take("seconds")
    if given.peek("text") or given.peek("gone"):
        raise CannotSay("a text to wait for belongs in the expectation")
    return Do(PAGE.then("wait_for_timeout", round(float(str(seconds or 10)) * 1000)), acts=False)


def _requested(given: Given) -> Statement:
    method, url, body = given.text("method"), given.text("url"), given.text("body")
    options = {"data": body} if body else {}
    return Keep("response", PAGE.part("request").then("fetch", url, method=method, **options))


def _remembered(given: Given) -> Statement:
    name, element = given.text("name"), given.text("element")
    given.one_of("source", "page")
    if not element:
        raise CannotSay("a value without a label is found by a pattern only")
    where = value_target_of(Given({"element": element, "within": given.take("within")}))
    return Keep(name, helper("value_of", where))


def _left(given: Given) -> Statement:
    if not given.peek("element") or given.peek("role") == "dialog":
        raise CannotSay("a click outside needs a place that the script knows to be empty")
    return Do(target_of(given, field=True).then("blur"))


def _on_field(name: str) -> Callable[[Given], Statement]:
    return lambda given: Do(target_of(given, field=True).then(name))


def _on_element(name: str, **options: str) -> Callable[[Given], Statement]:
    return lambda given: Do(target_of(given).then(name, **options))


def _on_page(name: str) -> Callable[[Given], Statement]:
    return lambda given: Do(PAGE.then(name))


_ACTIONS: dict[str, Callable[[Given], Statement]] = {
    "browser_navigate": lambda given: Do(PAGE.then("goto", given.text("url"))),
    "back": _on_page("go_back"),
    "browser_forward": _on_page("go_forward"),
    "browser_reload": _on_page("reload"),
    "click": _clicked,
    "double_click": _on_element("dblclick"),
    "browser_right_click": _on_element("click", button="right"),
    "hover": _on_element("hover"),
    "drag": _dragged,
    "click_outside": _left,
    "scroll": _scrolled,
    "press": _pressed,
    "type": _typed,
    "clear": _on_field("clear"),
    "select": _selected,
    "check": _on_field("check"),
    "uncheck": _on_field("uncheck"),
    "browser_upload": _uploaded,
    "browser_download": _downloaded,
    "wait_for": _waited,
    "execute_command": lambda given: Do(helper("run", given.text("command"))),
    "write_file": lambda given: Do(helper("write_file", given.text("path"), given.text("content")), acts=False),
    "http_request": _requested,
    "remember": _remembered,
}
"""What a tool's call is in a script."""
