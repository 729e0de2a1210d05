"""Asides: words of an action that change nothing of what is done, and wordings without them. Pure.

An aside says what for, by which hand, on which page, or where on it something is. Whatever may name, limit, deny or
choose is none: a text in quotes, a number, "not", "or", "if", "only".
"""

from collections.abc import Iterator

from muster_grammar.element_kinds import BESIDE, CONTAINERS, FIELD_LABELS, PLACES, ROLES, UNNAMED
from muster_grammar.engine import Calls
from muster_grammar.numerals import ordinal
from muster_grammar.tokens import EXAMPLE, LITERAL, SELECTOR, Token, Words
from muster_grammar.verbs import ACTIONS
from muster_grammar.vocabulary import JOINT, split
from muster_text.key_names import KEYS, is_chord

_TELLING = split("not no nor never or if unless only except until when while twice times every each all both without")
_ADVERBS = frozenset(
    tuple(words.split())
    for words in (
        *("below", "above", "as usual", "as normal", "as before", "as always", "globally", "manually", "carefully"),
        *("directly", "too", "when prompted"),
        *("immediately", "quickly", "on keyboard", "using keyboard", "with keyboard", "with mouse", "using mouse"),
        *(
            "using mouse actions",
            "using keyboard actions",
            "using left mouse button",
            "with left mouse button",
            "in browser",
            "of browser",
            "by hand",
            "via keyboard",
        ),
    )
)
ENDS = split(
    "end accept access add agree allow apply begin bring cancel close complete confirm continue create delete dismiss "
    "display edit enter exit expand filter finish get go hide initiate leave log login make move navigate open perform "
    "place post find locate "
    "proceed reach refresh register reload remove reset return reveal run save search see send show sign sort start "
    "stop submit sync trigger update view "
    "configure split change choose print export import download switch toggle clear launch load activate deactivate "
    "enable disable lock unlock publish unpublish subscribe unsubscribe connect disconnect reply forward attach insert "
    "paste undo redo zoom close resize merge join leave invite approve reject retry repeat pause resume play mute "
    "rename preview duplicate restore authenticate skip interrupt"
)
"""Verbs that say what an action is for; "verify" and its like ask for more than the action."""
_DONE_BY = ENDS - split(
    "edit enter filter run search send sort update post place rename insert paste attach zoom resize"
)
"""Verbs that a click may carry out alone; the others need a value."""
_MEANS = {
    **{"clicking": "click", "tapping": "click", "pressing": "press", "hitting": "press"},
    **{"checking": "check", "ticking": "check", "unchecking": "uncheck", "selecting": "select", "choosing": "choose"},
}
_DONE = {"clicked": "click", "tapped": "click", "entered": "type", "typed": "type", "refreshed": "reload"}
"""What is said to be done to a thing, and the verb of doing it; "selected" and "pressed" may be states."""
_UNDONE = split(
    "editing entering filling selecting changing typing choosing clicking uploading providing adding making"
)
_OTHER = split("new next previous other another following same last old first second third final")
"""Pages that are not the one that is open."""
_POSITIONS = split(
    "top bottom left right upper lower left-hand right-hand center centre middle top-right top-left bottom-right "
    "bottom-left"
)
UNLABELLED = split(
    "valid invalid correct incorrect wrong weak strong partial expired duplicate mismatched malformed incomplete"
)
"""Words for a value that no label begins with in small letters."""
_DESCRIBED = UNLABELLED | split("registered unregistered existing non-existing nonexistent")
"""Words for a value that the sentence tells."""
_TYPING = split("type input insert provide supply fill put write")
_AREAS = split("corner side part hand area edge half bar")
_LOOKS = _POSITIONS | _AREAS | PLACES | ROLES.keys() | split("page at same menu browser")
_LOOKING = split("blue red green yellow orange purple black white grey gray dark light big large small round rounded")
_POINTING_ACTS = split("click press double-click right-click long-press hover")
_PICTURES = split("icon arrow logo image picture dots lines bars")
_LEADING_TO = split("upload drag move type append paste scroll swipe wait") | {"wait for"}
"""Verbs after which "to" leads to where something goes, or to what is waited for."""
ARRIVING = split("move navigate go get reach jump")
"""What a key does only if it is pressed until one is there."""
_MOST_ASIDES = 2
_LONGEST_PAGE = 5


def without_asides(some: Words, left: int = _MOST_ASIDES) -> Iterator[Words]:
    """Yield wordings of one action without an aside, then without another."""
    for shorter in _shorter(some):
        yield shorter
        if left > 1:
            yield from without_asides(shorter, left - 1)


def is_definite(calls: Calls) -> bool:
    """Return whether calls still tell what they act on: what is dropped beside "the button" may be what tells it."""
    return all(call.arguments.get("element", call.tool != "type") or call.arguments.get("within") for call in calls)


def _shorter(some: Words) -> Iterator[Words]:
    counted = any(ordinal(token.key) for token in some)  # "the second one on the left" is another one
    for rule in (
        _without_parenthesis,
        _without_end,
        _without_page,
        _without_adverb,
        _without_position,
        _without_undone,
        _without_description,
        _without_look,
    ):
        shorter = rule(some)
        if len(shorter) < len(some) and not (counted and rule in (_without_position, _without_look)):
            yield shorter
    if unwrapped := _unwrapped(some):
        yield unwrapped
    if means := _means(some):
        yield means
    if active := _active(some):
        yield active
    if listed := _listed(some):
        yield listed


def _active(some: Words) -> Words:
    """Return `type "Ada" in the "Name" field` for `"Ada" is entered in the "Name" field`."""
    at = next((at for at, token in enumerate(some[:-1]) if at and _is_auxiliary(token)), 0)
    verb = _DONE.get(some[at + 1].key, "") if at else ""
    if not verb or some[0].key in ACTIONS or any(token.key == JOINT for token in some[: at + 1]):
        return ()
    return (
        Token(verb, some[at + 1].text),
        some[0]._replace(before=some[0].before or " "),
        *some[1:at],
        *some[at + 2 :],
    )


def _is_auxiliary(token: Token) -> bool:
    """Return whether a token is a form of "be" and compares nothing, as "is same as" does."""
    return token.key == "is" and not token.text.lower().endswith((" as", " to"))


def _is_idle(some: Words) -> bool:
    """Return whether words name, count, limit, deny and join nothing."""
    return not any(
        token.key in (LITERAL, SELECTOR, JOINT)
        or token.text[:1].isdigit()
        or not _TELLING.isdisjoint(token.key.split())
        for token in some
    )


def _without_adverb(some: Words) -> Words:
    size = next((size for size in (4, 3, 2, 1) if tuple(token.key for token in some[-size:]) in _ADVERBS), 0)
    return some[: len(some) - size]


def _without_end(some: Words) -> Words:
    """Leave out `to open the menu`, after what a quote, a kind or a key ends: "Back to search" may be a name."""
    if some and some[0].key in _LEADING_TO:
        return some
    for at in range(2, len(some) - 1):
        if some[at].key == "to" and _is_repeated(some, at):
            return some
        if some[at].key == "to" and _is_end(some[at + 1]) and _is_idle(some[at:]):
            start = at - 2 if tuple(token.key for token in some[at - 2 : at]) == ("in", "order") else at
            return some[:start] if start > 1 and _is_complete(some[start - 1]) else some
    return some


def _is_repeated(some: Words, at: int) -> bool:
    """Return whether a key is pressed as often as it takes to come somewhere: "use Tab to move to the date"."""
    arrives = some[0].key in ("press", "use") and not _verbs(some[at + 1]).isdisjoint(ARRIVING)
    return arrives and len(some) > at + 2 and not any(token.key in ("next", "previous") for token in some[at:])


def _is_end(token: Token) -> bool:
    return not token.before.strip() and not _verbs(token).isdisjoint(ENDS)


def _verbs(token: Token) -> set[str]:
    return {word.lower().split(" ")[0] for word in (token.key, token.text)}


def _is_complete(token: Token) -> bool:
    told = token.key in (LITERAL, SELECTOR, "key", "column") or token.key in ROLES or token.key in UNNAMED
    return told or _is_key(token)


def _without_page(some: Words) -> Words:
    """Leave out `on the login page`: nothing is done on another one."""
    if len(some) < 4 or some[-1].key != "page":
        return some
    for at in range(len(some) - 2, max(1, len(some) - 2 - _LONGEST_PAGE), -1):
        if some[at].key in {"on", "in", "at", "from"} or (some[at].key == "of" and _is_complete(some[at - 1])):
            said = some[at + 1 : -1]
            return some[:at] if _is_idle(said) and _OTHER.isdisjoint(token.key for token in said) else some
    return some


def _without_position(some: Words) -> Words:
    """Leave out `at the top`, `in the upper right corner of the page`, wherever it stands."""
    for at in range(2, len(some) - 1):
        if some[at].key not in {"at", "in", "on", "from"}:
            continue
        end = at + 1
        while end < len(some) and some[end].text.lower() in _POSITIONS | _AREAS:
            end += 1
        if some[at + 1].text.lower() in _POSITIONS and (end == len(some) or some[end].key in PLACES):
            end += 2 if tuple(token.key for token in some[end:]) == ("of", "page") else 0
            return some[:at] + some[end:]
    return some


def _without_parenthesis(some: Words) -> Words:
    """Leave out `(top right)`, or one other word for what is named; what else stands there may be what matters."""
    keys = [token.key for token in some]
    if "(" not in keys or ")" not in keys:
        return some
    start, end = keys.index("("), keys.index(")")
    inner = some[start + 1 : end]
    looks = all(token.key in _LOOKS or token.text.lower() in _LOOKS for token in inner)
    beside = _is_idle(inner) and start > 0 and _is_complete(some[start - 1])
    looks = (
        looks
        or (len(inner) == 1 and inner[0].text.lower() in KEYS)
        or (beside and (len(inner) == 1 or _is_picture(inner)))
    )
    looks = looks or (bool(inner) and all(token.key in {"or", "/", "press"} or _is_key(token) for token in inner))
    looks = looks or (len(inner) == 2 and inner[0].text.lower() == "see" and _is_idle(inner))  # "(see screenshot)"
    return some[:start] + some[end + 1 :] if start < end and looks else some


def _is_key(token: Token) -> bool:
    """Return whether a word is a key or a chord by which one may do the same: `Reload the page (F5 or Ctrl+R)`."""
    return token.text.lower() in KEYS or is_chord(token.text)


def _is_picture(inner: Words) -> bool:
    """Return whether words only describe an icon: "eye icon"; one that is somewhere is told by its place."""
    return (
        len(inner) in (2, 3)
        and inner[len(inner) - 1].key in _PICTURES
        and _LEADING.isdisjoint(token.key for token in inner)
    )


def _unwrapped(some: Words) -> Words:
    """Return a place, or an example of a value, without the parentheses that it stands in."""
    keys = [token.key for token in some]
    if keys.count("(") != 1 or keys.count(")") != 1:
        return ()
    start, end = keys.index("("), keys.index(")")
    inner = some[start + 1 : end]
    inner = inner[1:] if inner and inner[0].text.lower() in ("located", "found", "placed") else inner
    if len(inner) > 1 and inner[0].key in _LEADING:
        return (*some[:start], *inner, *some[end + 1 :])
    said = [LITERAL if token.text[:1].isdigit() else token.key for token in inner]
    is_value = said in ([EXAMPLE, LITERAL], [LITERAL]) and LITERAL not in keys[:start]
    if some[0].key in _TYPING and is_value:
        return (*some[:start], inner[len(inner) - 1], *some[end + 1 :])
    return ()


def _without_description(some: Words) -> Words:
    """Leave out "invalid" of `type an invalid password "x"`: the value is told. "Invalid email" may be a label."""
    if not some or some[0].key not in _TYPING:
        return some
    value = next((at for at, token in enumerate(some) if token.key == LITERAL), 0)
    at = next((at for at in range(1, value) if some[at].text in _DESCRIBED), 0)
    plain = some[value - 1].text in FIELD_LABELS and some[at].text in UNLABELLED
    led = at and (some[at].before.strip() in ("a", "an", "the") or value < len(some) - 1 or plain)
    return (*some[:at], *some[at + 1 :]) if led else some


def _without_look(some: Words) -> Words:
    """Leave out the colour and size of what has a name in quotes; an act on two such things is ambiguous."""
    named = next((at for at, token in enumerate(some) if token.key == LITERAL), 0)
    at = next((at for at in range(1, named) if some[at].text in _LOOKING), 0)
    return (*some[:at], *some[at + 1 :]) if at and some[0].key in _POINTING_ACTS and at + 3 > named else some


def _without_undone(some: Words) -> Words:
    """Leave out `without editing the form`: what no sentence says is not done."""
    at = next((at for at, token in enumerate(some[:-1]) if token.key == "without"), 0)
    undone = at and some[at + 1].key in _UNDONE and _is_idle(some[at + 1 :])
    return some[:at] if undone else some


def _listed(some: Words) -> Words:
    """Return `type name "Ada"` for `fill in the form with name "Ada"`."""
    keys = [token.key for token in some[:3]]
    size = 3 if keys in (["fill", "form", "with"], ["fill", "following", ":"]) else 0
    return (Token("fill", some[0].text), *some[size:]) if 0 < size < len(some) else ()


def _means(some: Words) -> Words:
    """Return `click "X"` for `close the dialog by clicking "X"`, or for `sort the table by clicking the "X" column`."""
    at = next((at for at, token in enumerate(some[:-2]) if token.key == "by" and some[at + 1].key in _MEANS), 0)
    acts = _verbs(some[0]) if at else set[str]()
    sorts = at < 3 and "sort" in acts and some[at - 1].key in CONTAINERS | {some[0].key}
    if not ((sorts and some[-1].key in ("column", "columnheader")) or acts & _DONE_BY) or not _is_idle(some[:at]):
        return ()
    if any(token.text[:1].isupper() for token in some[1:at]):
        return ()
    rest = some[at + 2 :]
    verb = Token(_MEANS[some[at + 1].key], some[at + 1].text)
    return (verb, *(rest[1:] if rest[0].key == "on" else rest))


# ---- before the action


_WHO = frozenset((("as", "user"), ("as", "customer"), ("as", "visitor"), ("as", "tester")))
_STARTS = frozenset((verb, "browser") for verb in ("open", "start", "run"))
_LEADING = PLACES | BESIDE.keys() | {"into"}


def without_lead(some: Words) -> Words:
    """Return a sentence without what it says before its action; empty if it says nothing there.

    `To log in, …` is dropped, `In the dialog, click "OK"` becomes `click "OK" in the dialog`.
    """
    cut = next((at for at, token in enumerate(some) if token.key == JOINT), 0)
    lead, rest = some[:cut], some[cut + 1 :]
    if not cut or not rest:
        return _place_behind(*_cut_at_verb(some))
    if tuple(token.key for token in lead) in _WHO | _STARTS:
        return rest
    start = 2 if tuple(token.key for token in lead[:2]) == ("in", "order") else 0
    if len(lead) > start + 1 and lead[start].key == "to" and _is_end(lead[start + 1]) and _is_idle(lead):
        return rest
    return _place_behind(lead, rest)


def _cut_at_verb(some: Words) -> tuple[Words, Words]:
    at = next((at for at in range(2, len(some)) if some[at].key in ACTIONS and not some[at].before.strip()), 0)
    ends = at and (_is_complete(some[at - 1]) or some[at - 1].key in CONTAINERS)
    return (some[:at], some[at:]) if ends else ((), ())


def _place_behind(lead: Words, rest: Words) -> Words:
    """Put a place behind the action; of several actions none says that it is in the place as well."""
    if len(lead) < 2 or lead[0].key not in _LEADING or any(token.key == JOINT for token in rest):
        return ()
    return rest if lead[-1].key == "page" and _without_page((*rest, *lead)) == rest else (*rest, *lead)
