"""Turns calls of checks into expectations of a script, which must not hold if the check itself does not. Pure."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from muster_authoring.exporting.given_arguments import CannotSay, Given
from muster_authoring.exporting.locators import narrowing_from, part_of, target_of, value_target_of
from muster_authoring.exporting.script_parts import (
    PAGE,
    Called,
    Chain,
    Claim,
    Containing,
    Do,
    Phrase,
    Statement,
    Value,
    Whole,
    helper,
)

_STATES = {
    "enabled": ("to_be_enabled", False),
    "disabled": ("to_be_disabled", False),
    "checked": ("to_be_checked", False),
    "unchecked": ("to_be_checked", True),
    "focused": ("to_be_focused", False),
    "editable": ("to_be_editable", False),
    "empty": ("to_be_empty", False),
}
"""What Playwright calls the states of elements, and whether it is the contrary."""


def say_check(tool: str, given: Given) -> Sequence[Statement]:
    """Return the statements of a call that checks; none if the tool is none that does.

    Raises:
        CannotSay: the call has no counterpart.
    """
    check = _CHECKS.get(tool)
    if check is None:
        return ()
    seconds, where = given.take("up_to_seconds"), given.peek("within")
    statement = check.say(given)
    part = part_of(narrowing_from(where)) if check.of_a_part else None
    whole = [] if part is None else [_expect(part, "to_have_count", 1)]
    return [_patient(one, str(seconds)) if seconds else one for one in (*whole, statement)]


def _patient(statement: Statement, seconds: str) -> Statement:
    if not isinstance(statement, Claim):
        raise CannotSay("it has no time to wait")
    matcher = statement.matcher
    return statement._replace(
        matcher=matcher._replace(options={**matcher.options, "timeout": round(float(seconds) * 1000)})
    )


def _expect(subject: Chain, matcher: str, *arguments: Value, denied: bool = False, **options: Value) -> Claim:
    return Claim(subject, Called(matcher, arguments, options), denied)


def _text(given: Given) -> Statement:
    text, absent, whole = given.text("text"), given.flag("absent"), given.flag("exact")
    if part := part_of(narrowing_from(given.take("within"))):
        if whole:
            raise CannotSay("the whole text of something in a part has no locator")
        wanted = text if absent else Phrase(text)
        options: dict[str, Value] = {"ignore_case": True} if absent else {}
        return _expect(part, "to_contain_text", wanted, denied=absent, use_inner_text=True, **options)
    if absent and not whole:
        return Do(helper("expect_no_text", PAGE, text), acts=False)
    shown = PAGE.then("get_by_text", text, exact=True) if whole else PAGE.then("get_by_text", Phrase(text))
    seen = shown.then("filter", visible=True)
    return _expect(seen, "to_have_count", 0) if absent else _expect(seen.part("first"), "to_be_visible")


def _visible(given: Given) -> Statement:
    absent, part = given.flag("absent"), part_of(narrowing_from(given.take("within")))
    found = _within(part, target_of(given, denied=absent))
    if absent:
        return _expect(found.then("filter", visible=True), "to_have_count", 0)
    return _expect(found.then("filter", visible=True).part("first"), "to_be_visible")


def _within(part: Chain | None, found: Chain) -> Chain:
    return found if part is None else part.then("locator", found)


def _value(given: Given) -> Statement:
    value, negate = given.text("value"), given.flag("negate")
    given.one_of("match", "is", "includes")
    if negate:
        raise CannotSay("that a value is not so has no counterpart")
    return Do(helper("expect_value", value_target_of(given), value), acts=False)


def _state(given: Given) -> Statement:
    state = given.text("state")
    if state not in _STATES:
        raise CannotSay(f"the state {state!r} has no counterpart")
    matcher, denied = _STATES[state]
    target = target_of(given, field=not given.peek("role")).then("filter", visible=True)
    return _expect(target, matcher, denied=denied)


def _count(given: Given) -> Statement:
    count = int(str(given.take("count") or 0))
    given.one_of("comparison", "is", "exactly")
    part, rows = (
        part_of(narrowing_from(given.take("within"))),
        given.peek("role") == "row" and not given.peek("element"),
    )
    found = _within(part, target_of(given, denied=not count))
    if rows:  # those of headings do not count
        found = found.then("filter", has_not=PAGE.then("get_by_role", "columnheader"))
    return _expect(found.then("filter", visible=True), "to_have_count", count)


def _title(given: Given) -> Statement:
    title, negate = given.text("title"), given.flag("negate")
    match = given.one_of("match", "is", "contains")
    return _expect(PAGE, "to_have_title", title if match == "is" else Containing(title), denied=negate)


def _address(given: Given) -> Statement:
    url, negate = given.text("url"), given.flag("negate")
    match = given.one_of("match", "is", "contains", "ends")
    cut = url[:1].isdigit() or url[-1:].isdigit() or "${" in url
    if match == "contains":
        wanted = Whole(url) if cut and not negate else Containing(url)
    elif match == "is" and ("://" in url or "${" in url):
        wanted = url
    elif match == "is" and not url.strip("/"):
        raise CannotSay("the host of the first page is not known")
    else:
        wanted = Containing(url, at_end=True)
    return _expect(PAGE, "to_have_url", wanted, denied=negate)


def _dialog(given: Given) -> Statement:
    given.one_of("match", "is")
    if given.take("alert"):
        raise CannotSay("an alert may be one of the browser or of the page")
    return Do(helper("expect_dialog", PAGE, given.text("text")), acts=False)


def _exit_code(given: Given) -> Statement:
    code = int(str(given.take("code") or 0))
    return _asserted("expect_exit_code", given, code)


def _output(given: Given) -> Statement:
    given.one_of("match", "contains")
    given.one_of("stream", "any")
    return _asserted("expect_output", given, given.text("text"))


def _file(given: Given) -> Statement:
    given.one_of("match", "contains")
    path, text = given.text("path"), given.text("text")
    if given.flag("absent"):
        return Do(helper("expect_no_file", path), acts=False)
    return _asserted("expect_file", given, path, *([text] if text else []))


def _status(given: Given) -> Statement:
    given.one_of("match", "is")
    return Do(helper("expect_status", Chain("response"), int(str(given.take("status")))), acts=False)


def _body(given: Given) -> Statement:
    given.one_of("match", "contains")
    return Do(helper("expect_body", Chain("response"), given.text("text")), acts=False)


def _asserted(name: str, given: Given, *arguments: Any) -> Statement:  # noqa: ANN401 - values of several types
    if given.flag("negate"):
        raise CannotSay("that it is not so has no counterpart")
    return Do(helper(name, *arguments), acts=False)


class _Check(NamedTuple):
    say: Callable[[Given], Statement]
    of_a_part: bool = False
    """Whether it is about what is in a part: without the part, or with several, it does not hold."""


_CHECKS = {
    "check_text": _Check(_text, of_a_part=True),
    "check_visible": _Check(_visible, of_a_part=True),
    "check_value": _Check(_value),
    "check_state": _Check(_state),
    "check_count": _Check(_count, of_a_part=True),
    "check_title": _Check(_title),
    "check_url": _Check(_address),
    "check_dialog": _Check(_dialog),
    "check_exit_code": _Check(_exit_code),
    "check_output": _Check(_output),
    "check_file": _Check(_file),
    "check_response": _Check(_status),
    "check_response_text": _Check(_body),
}
"""What a tool's check is in a script."""
