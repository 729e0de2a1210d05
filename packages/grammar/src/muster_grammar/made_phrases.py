"""Phrases for generated values: dates relative to today, texts that no other run has."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from muster_grammar.engine import Calls, Parameter, Phrase, action, call, expectation
from muster_grammar.numerals import NUMBERS
from muster_grammar.target_parser import Target
from muster_grammar.tokens import LITERAL, Words
from muster_protocol.tool_calls import ToolCall
from muster_text.days import day_of

KINDS = {
    "email": ("email", "e-mail", "email address", "e-mail address", "mail address"),
    "number": ("number",),
    "name": ("name", "username", "user name", "first name", "last name"),
    "phone": ("phone number", "mobile number"),
    "password": ("password",),
    "text": ("text", "string", "word", "value", "title"),
}
_KIND_OF = {word: kind for kind, row in KINDS.items() for word in row}
_DAY = r"(?:today|tomorrow|yesterday|today(?: ?[-+] ?|\+)\d+ \w+|in \S+ \w+|\S+ \w+ (?:ago|from today))"
_SOME_DAY = date(2026, 1, 1)
_FILLING = {"is", "date", "of", "format"}
"""Words around a day, and before its form."""


_MAKING = "make_value"


def made_names(calls: Calls) -> frozenset[str]:
    """Return the names of the values that some calls make up and keep."""
    return frozenset(str(made.arguments["name"]) for made in calls if made.tool == _MAKING)


class Made(NamedTuple):
    """A value to make up, under the name by which the sentence refers to it then."""

    name: str
    kind: str
    day: str = ""
    form: str = ""

    def call(self, name: str = "") -> ToolCall:
        """Return the call that makes it."""
        more = {key: value for key, value in (("day", self.day), ("form", self.form)) if value}
        return call(_MAKING, name=name or self.name, kind=self.kind, **more)

    @property
    def placeholder(self) -> str:
        """What stands for it in a text."""
        return f"${{{self.name}}}"


def _made(some: Words) -> Sequence[Made]:
    form = some[-1].text if some[-1].key == LITERAL else ""
    plain = [token for token in some if token.key not in _FILLING and token.key != LITERAL]
    plain = plain[:-1] if form and plain and plain[-1].key in {"in", "as"} else plain
    text = " ".join(str(NUMBERS.get(token.key, token.text)) for token in plain).casefold()
    if text.startswith(("random ", "unique ")):
        kind = _KIND_OF.get(text.partition(" ")[2])
        return (Made(f"random_{kind}", kind),) if kind and not form else ()
    return (Made("date", "date", text, form),) if day_of(text, _SOME_DAY) else ()


def _then(build: Callable[[str, Target], Calls]) -> Callable[[Made, Target], Calls]:
    def built(made: Made, target: Target) -> Calls:
        calls = build(made.placeholder, target)
        return (made.call(), *calls) if calls else ()

    return built


def _type(text: str, target: Target) -> Calls:
    typable = target.role in {"textbox", ""} and target.element and not target.plural
    return (call("type", **target.arguments(field=True), text=text),) if typable else ()


def _choose(made: Made, target: Target) -> Calls:
    """Type a day; a random text is not among the options of any list."""
    return _then(_type)(made, target) if made.day else ()


def _type_turned(target: Target, made: Made) -> Calls:
    return _then(_type)(made, target)


def _type_named(label: str, made: Made) -> Calls:
    return _type_turned(Target(label), made)


def _remember(made: Made, name: str) -> Calls:
    return (made.call(name),)


def _day(some: Words) -> Sequence[str]:
    return tuple(made.day for made in _made(some) if made.day and not made.form)


def _on_day(relation: str) -> Callable[[Target, str], Calls]:
    return lambda target, day: (call("check_value", **target.arguments(field=True), value=day, match=relation),)


_SAID_DAY = rf"(?:date )?(?:of )?{_DAY}(?: is date| date)?"

MADE_PARAMETERS = {
    "day": Parameter(
        _SAID_DAY, _day, "a day: `today`, `tomorrow's date`, `today + 3 days`, `2 weeks ago`, `in 3 days`"
    ),
    "made": Parameter(
        rf'(?:(?:random|unique) [\w-]+(?: [\w-]+)?|{_SAID_DAY}(?: (?:in|as)(?: format)? ")?)',
        _made,
        "a value that is made up: `a random e-mail address`, `a unique name`, `today's date`, `tomorrow`, "
        '`today + 3 days`, `2 weeks ago`, `in 3 days`; dates also `in the format "dd.mm.yyyy"`',
    ),
}

MADE: tuple[Phrase, ...] = (
    action(
        "Type {made} into/in/to/on {target}",
        "Input/Insert/Provide/Put {made} into/in/for {target}",
        "Fill {made} into/in {target}",
        "Type/Use {made} as/for {thing}",
        build=_then(_type),
        description="Types a date, or a text that no other run has; it is kept as ${date} or ${random_email}.",
        examples=(
            'Type a random e-mail address into the "E-mail" field',
            'Enter today\'s date in the "From" field',
            'Type today + 3 days in the format "dd.mm.yyyy" into "To"',
        ),
    ),
    action(
        "Select/Choose {made} as/for {thing}",
        "Select/Choose {made} in/on/from {target}",
        build=_choose,
        description="Types a date into a date field.",
        examples=('Choose tomorrow in the "Due" field', 'Select the date in 2 weeks for the "Delivery" field'),
    ),
    action(
        "Fill {target} with {made}",
        "Set {target} to {made}",
        build=_type_turned,
        description="Types a date, or a text that no other run has.",
        examples=('Fill in the "Name" field with a unique name', 'Set the "Due" field to tomorrow'),
    ),
    action(
        "Set {field_label} to {made}",
        "Fill {field_label} with {made}",
        build=_type_named,
        description="Types a date, or a text that no other run has.",
        examples=("Set the date to tomorrow",),
    ),
    action(
        "Remember {made} as/in/into {name}",
        "Create/Generate {made} as {name}",
        build=_remember,
        description="Generates a value and keeps it for later sentences; a repeated step uses the same value.",
        examples=("Remember a random e-mail as ${mail}", "Remember the date in 2 weeks as ${due}"),
    ),
)

DAYS: tuple[Phrase, ...] = (
    expectation(
        "{thing} is {day}",
        "The value/text of {thing} is {day}",
        build=_on_day("same"),
        description="A date on the page, however it is written, is this day.",
        examples=('The "Due" field is tomorrow', "The order date is today's date"),
    ),
    expectation(
        "{thing} is later than {day}",
        "{thing} is after {day}",
        build=_on_day("above"),
        description="A date on the page is later than this day.",
        examples=('The "Due" field is after today',),
    ),
    expectation(
        "{thing} is earlier than {day}",
        "{thing} is before {day}",
        build=_on_day("below"),
        description="A date on the page is earlier than this day.",
        examples=('The "Start" field is before today + 3 days',),
    ),
)
