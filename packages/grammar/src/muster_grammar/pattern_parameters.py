"""The parameters of the patterns: texts, names, numbers, elements, states. Pure."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from muster_grammar.engine import Parameter
from muster_grammar.markup_texts import is_file, is_template
from muster_grammar.numerals import NUMBERS, ORDINALS, THOUSANDS, ordinal, whole
from muster_grammar.response_statuses import REASONS_PATTERN, read_status
from muster_grammar.target_parameters import read_element, read_elements, read_target, read_thing
from muster_grammar.target_places import (
    containers,
    parts,
    plain_nouns,
    regions,
)
from muster_grammar.tokens import LITERAL, Words, name
from muster_grammar.unquoted_names import is_name
from muster_protocol.tool_calls import ArgumentValue
from muster_text.key_names import KEYS, MODIFIERS
from muster_text.values import PLACEHOLDER


class Comparison(NamedTuple):
    """How a text must relate to the one given."""

    match: str
    negate: bool

    def arguments(self, *, default: str = "is") -> dict[str, ArgumentValue]:
        """Return the tool arguments that differ from the tool's defaults."""
        match: dict[str, ArgumentValue] = {"match": self.match} if self.match != default else {}
        return match | ({"negate": True} if self.negate else {})


class Count(NamedTuple):
    """How many there must be."""

    comparison: Literal["is", "at_least", "at_most"]
    number: int
    none: bool = False
    """Whether the sentence said "no"."""


class State(NamedTuple):
    """A state of an element, or that it must not have it."""

    name: str
    negate: bool


_FILES = r'(?:(?:image|picture|photo|document|video|avatar) )?(?:files? )?"(?: (?:, )?")*'
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
MATCHES = {"is": "is", "contain": "contains", "start with": "starts", "end with": "ends", "match": "matches"}

STATES = {
    "enabled": ("enabled", "clickable"),
    "disabled": ("disabled", "inactive", "greyed out", "grayed out", "not clickable", "unclickable"),
    "checked": ("checked", "ticked", "pre-checked", "prechecked", "marked checked", "marked as checked"),
    "unchecked": ("unchecked", "unticked", "marked unchecked", "deselected", "unselected"),
    "focused": ("focused", "in focus"),
    "selected": ("selected", "chosen"),
    "editable": ("editable",),
    "readonly": ("readonly", "read-only", "read only", "non-editable", "uneditable"),
    "required": ("required", "mandatory", "compulsory", "marked required", "marked as required"),
    "empty": ("empty", "blank", "cleared"),
    "expanded": ("expanded", "unfolded"),
    "collapsed": ("collapsed", "folded"),
    "invalid": ("invalid", "marked invalid", "marked as invalid"),
    "valid": ("valid",),
    "open": ("open", "opened"),
    "closed": ("closed",),
    "active": ("active",),
    "highlighted": ("highlighted",),
    "on": ("on", "turned on", "switched on", "toggled on"),
    "off": ("off", "turned off", "switched off", "toggled off"),
    "pressed": ("pressed",),
}
_STATE_OF = {word: state for state, row in STATES.items() for word in row}

STATE_WORDS = frozenset(_STATE_OF)
"""Words that say in which state an element is."""

SECONDS = r"(?:(?:\S+|\") (?:second|minute|millisecond)|\d+m?s)"
NUMBER = re.compile(r"[-+]?[$€£]?\d[\d.,:]*[%€£]?")
_URL = re.compile(
    r"(?:[a-z][a-z+.-]*:|/|\$\{|localhost\b|[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)).*", re.IGNORECASE | re.DOTALL
)
_RELATIVE = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?")


def _last_text(some: Words) -> Sequence[str]:
    return (some[-1].text,)


def _text(some: Words) -> Sequence[str]:
    last = some[-1]
    return (last.text,) if last.key == LITERAL or NUMBER.fullmatch(last.text) else ()


def _literals(some: Words) -> Sequence[tuple[str, ...]]:
    return (tuple(token.text for token in some if token.key == LITERAL),)


def _url(some: Words) -> Sequence[str]:
    text = next(token.text for token in some if token.key == LITERAL)
    called = some[0].key == "url" and _RELATIVE.fullmatch(text)
    return (text,) if (called or _URL.fullmatch(text)) and not (is_template(text) or is_file(text)) else ()


def _value_name(some: Words) -> Sequence[str]:
    found = PLACEHOLDER.fullmatch(some[-1].text)
    return (found.group(1),) if found else ()


def _number(some: Words) -> Sequence[int]:
    return whole(some[-1].key)


def _code(some: Words) -> Sequence[int]:
    return whole(some[0].text.lower()) if some[0].key != LITERAL or some[0].text.isdecimal() else ()


def _times(some: Words) -> Sequence[int]:
    key = some[1].key if some[0].key in {"exactly", "only", "just"} else some[0].key
    return ({"once": 1, "twice": 2}[key],) if key in {"once", "twice"} else whole(key.removesuffix("x"))


def _ordinal(some: Words) -> Sequence[int]:
    return (ordinal(some[0].key),)


def seconds_in(some: Words) -> float:
    """Return how many seconds words say; 0 if they say no time."""
    words = " ".join(token.key for token in some)
    return next(iter(_seconds(some)), 0.0) if re.fullmatch(SECONDS, words) else 0.0


def _seconds(some: Words) -> Sequence[float]:
    stuck = re.fullmatch(r"(\d+)(ms|s)", some[0].key)
    said = some[0].text if some[0].key == LITERAL else str(NUMBERS.get(some[0].key, some[0].key))
    number, unit = stuck.groups() if stuck else (said, some[-1].key)
    if not re.fullmatch(r"\d+(?:\.\d+)?", number):
        return ()
    seconds = float(number) * {"minute": 60, "ms": 0.001, "millisecond": 0.001}.get(unit, 1)
    return (int(seconds) if seconds.is_integer() else seconds,)


def _count(some: Words) -> Sequence[Count]:
    keys = [token.key for token in some]
    if keys == ["no"]:
        return (Count("is", 0, none=True),)
    said = [token.text if token.key == LITERAL else token.key for token in some]
    number = next((number for key in said for number in whole(key)), None)
    if number is None or keys[0] in {"or", "no"}:
        return ()
    match keys[0], keys[-1]:
        case ("at least", _) | (_, "more"):
            count = Count("at_least", number)
        case ("at most", _) | (_, "fewer" | "less"):
            count = Count("at_most", number)
        case "more than", _:
            count = Count("at_least", number + 1)
        case "less than", _:
            count = Count("at_most", number - 1)
        case _:
            count = Count("is", number)
    return (count,) if count.number >= 0 else ()


def _comparison(some: Words) -> Sequence[Comparison]:
    words = " ".join(token.key for token in some)
    positive = words.replace("not ", "").replace(" not", "")
    return (Comparison(MATCHES[positive], positive != words),)


def _state(some: Words) -> Sequence[State]:
    words = " ".join(token.key for token in some)
    if words.endswith("have focus"):
        return (State("focused", words != "have focus"),)
    positive = words.removeprefix("is not ")
    state = _STATE_OF.get(positive.removeprefix("is "))
    return (State(state, positive != words),) if state else ()


def _method(some: Words) -> Sequence[str]:
    method = some[0].text.upper()
    return (method,) if method in METHODS else ()


def _key(some: Words) -> Sequence[str]:
    kept = tuple(token for token in some if token.key not in {"key", "keys"})
    said = re.sub(r"^[\[<](.+)[\]>]$", r"\1", name(kept).strip())
    arrow = len(kept) < len(some) and said.lower() in {"up", "down", "left", "right"}
    pressed = _key_name(f"arrow {said}" if arrow else said)
    return (pressed,) if pressed else ()


def _key_name(text: str) -> str:
    """Return the key as Playwright names it, or nothing when there is no such key."""
    if text.lower() in KEYS:
        return KEYS[text.lower()]
    if len(text) == 1 and not text.isspace():
        return text
    *modifiers, last = re.split(r"\s*[+-]\s*", text)
    if not modifiers or not last or not all(word.lower() in MODIFIERS for word in modifiers):
        return ""
    held = [MODIFIERS[word.lower()] for word in modifiers]
    key = _key_name(last)
    plain = key.lower() if len(key) == 1 and "Shift" not in held else key
    return "+".join((*held, plain)) if plain else ""


def _program(some: Words) -> Sequence[str]:
    return (some[-1].text,) if re.fullmatch(r"(?:[\w.+-]|\$\{[\w.-]+\})+", some[-1].text) else ()


def _site(some: Words) -> Sequence[str]:
    plain = tuple(token for token in some if token.key != LITERAL)
    return (name(some),) if not plain or is_name(plain) else ()


def _stream(some: Words) -> Sequence[str]:
    return (some[0].key.replace("output", "any"),)


def _source(some: Words) -> Sequence[str]:
    return (some[0].key.removeprefix("page ").removesuffix(" body").replace("stdout", "output"),)


def _dialog_kind(some: Words) -> Sequence[str]:
    return ("" if some[-1].key != "alert" else "alert" if some[-1].text.lower() == "alert" else "browser",)


def _words(*alternatives: str) -> str:
    return f"(?:{'|'.join(alternatives)})"


_TEXT = (
    r'(?:text )?(?:(?:saying|stating|states|reading|with text|with|(?:that|which) (?:is|states)|is|of) )?"(?: text)?+'
)
"""A literal, and what may say that it is a text."""

PARAMETERS: dict[str, Parameter] = {
    "text": Parameter(
        r'(?:(?:text|value|number|content) (?:of )?)?(?:"|\S*\d\S*)', _text, "a text in quotes, or a number"
    ),
    "texts": Parameter(
        rf"(?:(?:both|all|all of|both of|following) )?{_TEXT}(?: , {_TEXT})*",
        _literals,
        'one text in quotes, or several: `"A", "B" and "C"`',
    ),
    "options": Parameter(
        r'(?:(?:options?|values?|entry|entries) )?"(?: , ")*(?: (?:options?|entry|entries))?',
        _literals,
        "the visible text of one option, or of several",
    ),
    "url": Parameter(
        r'(?:(?:page|url|shop) )?(?:at )?"(?: page)?',
        _url,
        "an address: it has a `://`, a dot, or begins with `/` or `${`",
    ),
    "file": Parameter(r'(?:(?:named|called) )?(?:"|\S*\.\w+)', _last_text, "a path in the session's directory"),
    "folder": Parameter(
        r'(?:(?:named|called) )?(?:"|[\w.-]+/[\w./-]+|_[\w-]+)', _last_text, "a folder of the session's directory"
    ),
    "files": Parameter(_FILES, _literals, "one path in the session's directory, or several"),
    "command": Parameter(r'(?:(?:following )?(?:shell |bash )?(?:commands?|script) )?"', _last_text, "a shell command"),
    "name": Parameter(r'"', _value_name, "the name of a value, as `${order}`"),
    "number": Parameter(r"\w+", _number, "a number, in digits or as a word up to twelve"),
    "times": Parameter(
        r"(?:(?:exactly|only|just) )?(?:once|twice|\d+x|\w+ times)",
        _times,
        "how often: `twice`, `3 times`, `3x`",
    ),
    "code": Parameter(r'(?:\w+|")', _code, "a number, in digits, in quotes or as a word up to twelve"),
    "ordinal": Parameter(_words(*ORDINALS, r"\d+(?:st|nd|rd|th)"), _ordinal, "first … twelfth, 2nd"),
    "seconds": Parameter(SECONDS, _seconds, "a time, as `30 seconds` or `two minutes`"),
    "count": Parameter(
        r"(?:total of )?"
        rf"(?:(?:exactly|exact|only|just|at least|at most|more than|less than) )?(?:\w+|{THOUSANDS.pattern}|\")"
        r"(?: or (?:more|fewer|less))?",
        _count,
        "`3`, `three`, `exactly 3`, `at least 3`, `at most 3`, `more than 3`, `fewer than 3`, `3 or more`, `no`",
    ),
    "compare": Parameter(
        r"(?:is not|is|(?:not )?(?:contain|start with|end with|match))",
        _comparison,
        "`is`, `contains`, `starts with`, `ends with`, `matches` (a regular expression that neither looks around nor "
        "refers back), each also with `not`",
    ),
    "state": Parameter(
        r"(?:is|is not) \S+(?: \S+){0,2}|(?:not )?have focus",
        _state,
        "`is` or `is not` with " + ", ".join(f"`{state}`" for state in STATES),
    ),
    "status": Parameter(
        rf'(?:(?:"|\d{{3}}|\dxx)(?: (?:ok|created|not found))?|{REASONS_PATTERN})',
        read_status,
        "`200`, a class as `2xx`, or a failure in words: `not found`",
    ),
    "key": Parameter(r".+?", _key, "a key or a chord: `Enter`, `Tab`, `Escape`, `F5`, `Arrow down`, `Ctrl+A`"),
    "method": Parameter(
        _words("get", "post", "put", "patch", "delete", "head", "options", LITERAL),
        _method,
        "`GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD` or `OPTIONS`",
    ),
    "stream": Parameter(
        _words("output", "stdout", "stderr"), _stream, "`output` (both streams), `standard output` or `error output`"
    ),
    "source": Parameter(
        _words("output", "stdout", "url", "page title", "page", "response body", "response"),
        _source,
        "`output` or `standard output` (of the last command), `URL`, `title`, `page` or `response`",
    ),
    "dialog": Parameter(
        r"(?:confirm )?(?:dialog|alert)", _dialog_kind, "`dialog`, `alert`, `prompt` or `confirmation dialog`"
    ),
    "program": Parameter(r'(?:"|\S+)', _program, "the name of a command, as `git`"),
    "site": Parameter(r".+?", _site, "what is tested, as `the shop`"),
    "target": Parameter(
        r".+?",
        read_target,
        'an element: `"Log in"`, `the "Log in" button`, `the button "Log in"`, `the Login button`; also with a '
        'container: `… in the "Cart" section`, `… in the row with "Backpack"`',
    ),
    "element": Parameter(
        r".+?", read_element, 'an element with its kind: `the "Log in" button`; also with a container'
    ),
    "elements": Parameter(
        r".+?", read_elements, 'a kind of elements, with or without a name: `rows`, `"Add to cart" buttons`'
    ),
    "plain_noun": Parameter(
        r".+?", plain_nouns, "the whole name of an element, without quotes: `login`, `Log out`, `the Cart`"
    ),
    "thing": Parameter(
        r".+?",
        read_thing,
        "an element, or its name without quotes (`the total`, `the order number`); also with a container",
    ),
    "spot": Parameter(r".+?", parts, "as `{place}`; also by plain nouns with an article: `the cart`"),
    "place": Parameter(r".+?", containers, 'a container: `the "Cart" section`, `the row with "Backpack"`, `"Cart"`'),
    "region": Parameter(
        r".+?", regions, 'a container that is called one: `the "Cart" section`, `the row with "Backpack"`'
    ),
}
