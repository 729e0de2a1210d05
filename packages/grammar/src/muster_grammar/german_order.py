"""The order of words in German, brought to that of the patterns: verb first in acts, subject first in claims. Pure."""

from muster_grammar.german import FINITE, FRONTED, IDLE, INFINITIVES, SEEING, SEPARABLE, THINGS, VERBS
from muster_grammar.tokens import LITERAL, Token, Words
from muster_grammar.vocabulary import JOINT

_CLICKING = frozenset(("klicke", "klickt", "klicken", "tippe", "tippt", "doppelklicke", "doppelklickt"))
_GIVING = frozenset(opening for (opening, _), verb in SEPARABLE.items() if verb in ("type", "select"))
_CHOOSING = frozenset(
    (*VERBS["select"].split(", "), *(one for (one, _), verb in SEPARABLE.items() if verb == "select"))
)
_WAYS = {"aufsteigend": "ascending", "absteigend": "descending"}
_JOINTS = frozenset(("und", "dann", "aber", JOINT))
_KINDS_OF_MARKS = {"schalter"}.union(*(THINGS[kind].split(", ") for kind in ("checkbox", "checkboxes", "radio")))
_TURNED = frozenset(("aktiviert", "deaktiviert", "aktiv", "inaktiv"))
_ACTIVE = frozenset(("aktiv", "inaktiv"))
_USABLE = frozenset(word for kind in ("button", "buttons", "field", "link") for word in THINGS[kind].split(", "))
_TABS = frozenset(THINGS["tab"].split(", "))


def ordered(tokens: Words) -> Words:
    """Return the words of a sentence, each part between joints in the order of the patterns."""
    parts: list[list[Token]] = [[]]
    for token in _without_idle(tokens):
        if token.key in _JOINTS and parts[-1]:
            parts.append([])
        parts[-1].append(token)
    return tuple(token for part in parts for token in _part(part))


def is_unclear(tokens: Words) -> bool:
    """Return whether a checkbox is said to be "aktiviert": it may be ticked, or may be to be ticked.

    What is "aktiv" may be on, current or enabled, unless it is a button or a field, or the tab that is shown.
    """
    keys = {token.key for token in tokens}
    if not keys.isdisjoint(_ACTIVE) and keys.isdisjoint(_USABLE) and ("inaktiv" in keys or keys.isdisjoint(_TABS)):
        return True
    return not keys.isdisjoint(_KINDS_OF_MARKS) and not keys.isdisjoint(_TURNED)


def _without_idle(tokens: Words) -> Words:
    """Leave out filler words, such as "immer noch", the "mehr" of "nicht mehr", and "Sie" behind a verb."""
    neither = any(token.key == "weder" for token in tokens)
    kept = (token for at, token in enumerate(tokens) if not _is_idle(tokens, at, neither=neither))
    return tuple(part for token in kept for part in _parted(token))


def _parted(token: Token) -> tuple[Token, ...]:
    """Return `taste` and `enter` for "Enter-Taste", `enter` for "Eingabetaste"."""
    if token.key == "eingabetaste":
        return (token._replace(key="enter", text="Enter"),)
    key, hyphen, noun = token.key.rpartition("-")
    if not hyphen or noun != "taste" or token.key == LITERAL:
        return (token,)
    return (token._replace(key="taste"), Token(key, token.text.rpartition("-")[0]))


def _is_idle(tokens: Words, at: int, *, neither: bool) -> bool:
    token, before = tokens[at], tokens[at - 1].key if at else ""
    after = tokens[at + 1].key if at + 1 < len(tokens) else ""
    return (
        token.key in IDLE
        or (token.key == "noch" and not neither)
        or (token.key == "immer" and after == "noch")
        or (token.key == "mehr" and before == "nicht")
        or (token.text == "Sie" and at > 0)
    )


def _part(part: list[Token]) -> list[Token]:
    lead = part[:1] if part and part[0].key in _JOINTS else []
    said = part[len(lead) :]
    for rule in (
        _verb_first,
        _chosen,
        _place_last,
        _value_first,
        _dragged,
        _sorted,
        _sent_on,
        _denied,
        _subject_first,
        _shown_tab,
    ):
        said = rule(said)
    return lead + said


def _place_last(said: list[Token]) -> list[Token]:
    """Return `klicke auf "A" in der Zeile "B"` for `klicke in der Zeile "B" auf "A"`."""
    at = next((at for at, token in enumerate(said) if token.key == "auf"), 0)
    placed = at > 1 and said[0].key in _CLICKING and said[1].key in ("in", "im", "bei", "neben")
    if not placed or sum(token.key == LITERAL for token in said[1:at]) > 1:
        return said
    return [said[0], *said[at:], *said[1:at]]


def _chosen(said: list[Token]) -> list[Token]:
    """Return `wähle die Option "A"` for `wähle den Eintrag "A"`: what a list offers is an option."""
    if not said or said[0].key not in _CHOOSING:
        return said
    return [token._replace(key="option") if token.key == "eintrag" else token for token in said]


def _value_first(said: list[Token]) -> list[Token]:
    """Return `gib "5" in das Feld "A" ein` for `gib in das Feld "A" "5" ein`, also after "wähle"."""
    if len(said) < 4 or said[0].key not in _GIVING or said[1].key not in ("in", "im", "ins", "bei", "aus"):
        return said
    named = [at for at, token in enumerate(said) if token.key == LITERAL or token.key[:1].isdigit()]
    if len(named) != 2 or said[named[0]].key != LITERAL or any(said[at].key in _JOINTS for at in range(1, named[1])):
        return said
    place, value, end = said[1 : named[0] + 1], said[named[0] + 1 : named[1] + 1], said[named[1] + 1 :]
    return [said[0], *value, *place, *end]


def _sorted(said: list[Token]) -> list[Token]:
    """Return `ist sortiert gemäß "A" aufsteigend` for `ist nach "A" aufsteigend sortiert`, in either order."""
    at = next((at for at, token in enumerate(said) if token.key in ("ist", "sind")), len(said))
    rest = said[at + 1 :]
    by = next((here for here, token in enumerate(rest) if token.key == "nach"), -1)
    if by < 0 or rest[-1].key != "sortiert" or len(rest) != 4:
        return said
    way = [token._replace(text=_WAYS[token.key]) for token in rest[:-1] if token.key in _WAYS]
    return [*said[: at + 1], rest[-1], rest[by]._replace(key="gemäß"), rest[by + 1], *way] if len(way) == 1 else said


def _dragged(said: list[Token]) -> list[Token]:
    """Return `ziehe "A" nach der Spalte "B"` for `ziehe "A" in die Spalte "B"`: what is dragged goes there."""
    places = [at for at, token in enumerate(said) if token.key in ("in", "ins", "auf", "nach", "zu", "zum", "zur")]
    if (
        not said
        or said[0].key not in ("ziehe", "zieht")
        or len(places) != 1
        or said[places[0]].key not in ("in", "ins")
    ):
        return said
    at = places[0]
    into = said[at].key == "ins" or (at + 1 < len(said) and said[at + 1].key in ("die", "den", "das"))
    return [*said[:at], said[at]._replace(key="nach"), *said[at + 1 :]] if into else said


def _sent_on(said: list[Token]) -> list[Token]:
    """Return `wird weitergeleitet auf "/a"` for `wird auf "/a" weitergeleitet`."""
    at = next((at for at, token in enumerate(said) if token.key in ("wird", "werde", "werden")), -1)
    if at < 0 or len(said) < at + 3 or said[-1].key != "weitergeleitet":
        return said
    return [*said[: at + 1], said[-1], *said[at + 1 : -1]]


def _shown_tab(said: list[Token]) -> list[Token]:
    """Return `ausgewählt` for a tab that is "aktiv": an enabled one need not be the one that is shown."""
    if _TABS.isdisjoint(token.key for token in said):
        return said
    return [token._replace(key="ausgewählt") if token.key == "aktiv" else token for token in said]


def _verb_first(said: list[Token]) -> list[Token]:
    """Return `klicke auf den Button` for `auf den Button klicken`."""
    if len(said) < 2 or said[-1].key not in INFINITIVES or said[0].key in SEEING:
        return said
    return [said[-1]._replace(key=INFINITIVES[said[-1].key]), *said[:-1]]


def _denied(said: list[Token]) -> list[Token]:
    """Return `ich sehe nicht "A"` for `ich sehe "A" nicht`."""
    at = next((at for at, token in enumerate(said) if token.key in SEEING), -1)
    if at < 0 or len(said) < 2 or said[-1].key != "nicht":
        return said
    return [*said[: at + 1], said[-1], *said[at + 1 : -1]]


def _subject_first(said: list[Token]) -> list[Token]:
    """Return `"A" wird angezeigt in der Zeile` for `in der Zeile wird "A" angezeigt`, also behind "es"."""
    at = next((at for at, token in enumerate(said) if token.key in FINITE), 0)
    if not at or at + 1 == len(said) or said[0].key not in FRONTED:
        return said
    verb, rest = said[at], said[at + 1 :]
    front = said[1:at] if said[0].key == "es" else said[:at]
    if verb.key == "gibt":
        return [rest[0], verb, *rest[1:], *front] if rest[0].key == "es" else said
    last = max((at for at, token in enumerate(rest) if token.key == LITERAL), default=-1)
    end = last + 1 if last >= 0 else len(rest) - 1
    if verb.key in ("erscheint", "erscheinen", "steht", "stehen"):
        end = len(rest)
    return [*rest[:end], verb, *rest[end:], *front]
