"""The acts that a written action demands: their kinds, and the elements they must be on. Pure and total.

Click "Delete" next to "Mug" and type "2" into "Quantity"
-> point at something called "Delete" in "Mug"; enter "2" into "Quantity"
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, cast
from urllib.parse import unquote

from muster_evidence.binding import ASK
from muster_protocol.facts import Act, Does
from muster_text.clauses import QUOTED, literals
from muster_text.element_roles import TOGGLES
from muster_text.key_names import key_name
from muster_text.text_match import squash
from muster_text.values import fill_known
from muster_text.wording import stands_alone


class Verb(NamedTuple):
    """A verb of a written action, and the acts that carry it out."""

    words: str
    """Regular expression of the verb, without endings."""
    does: frozenset[Does] | None
    """Kinds of acts; None: any."""
    stepwise: bool = False
    """Whether it may take several acts: open a list and click its option, or point at a field and press keys."""
    on_name: bool = False
    """Whether a name right after the verb is the element itself, not a container of it."""
    by_words: bool = False
    """Whether it may take two acts: mark the element, then use another one whose name contains the verb."""
    fills: bool = False
    """Whether it puts a value into a field, or chooses one there."""
    there: bool = False
    """Whether what it names is on the page, so that typing the name somewhere is no act on it."""


class Demand(NamedTuple):
    """One part of an action."""

    verb: Verb
    said: str
    """The verb as written; empty: the part has no known verb."""
    names: tuple[tuple[str, ...], ...]
    """Quoted names; those of one group belong to the same act."""
    direct: bool
    """Whether the first name stands right after the verb."""
    values: frozenset[str] = frozenset()
    """Those of the names that are entered or chosen, rather than pointed at."""
    beside: str = ""
    """Words before and after it that belong to no part with a known verb."""


def acts_of(kinds: str) -> frozenset[Does]:
    """Return a set from a blank-separated list of kinds of acts."""
    return frozenset(cast("list[Does]", kinds.split()))


_POINTING = acts_of("point choose answer")
_BOX = r"(?=\s+(?:(?:the|a|an)\s+)?(?:⟦|(?:\w+\s+)?(?:box|check-?box|option|radio)\b))"
VERBS = (
    Verb(r"double[- ]?(?:click|tap)", acts_of("double"), on_name=True),
    Verb(r"right[- ]?click", acts_of("secondary"), on_name=True),
    Verb(r"long[- ]?press|(?:press|tap|click) and hold", acts_of("hold"), on_name=True),
    Verb(r"hover|mouse over", acts_of("hover")),
    Verb(r"drag|drop|swipe", acts_of("drag")),
    Verb(r"scroll", acts_of("scroll key drag")),
    Verb(r"upload|attach", acts_of("upload")),
    Verb(r"click|tap", _POINTING, on_name=True),
    Verb(r"press|hit", acts_of("point choose answer key"), on_name=True, stepwise=True),
    Verb(rf"tick|untick|uncheck|check{_BOX}", acts_of("choose")),
    Verb(r"select|choose|pick", acts_of("choose point upload"), stepwise=True, fills=True),
    Verb(
        r"type|typing|fill|write(?=.{0,200}\binto?\b)|enter(?=.{0,200}(?:⟦|\$|\binto?\b))",
        acts_of("enter key choose"),
        stepwise=True,
        fills=True,
    ),
    Verb(
        r"delete|remove|discard|erase",
        acts_of("point double secondary hold drag key answer run request write"),
        by_words=True,
    ),
)
"""Verbs that name the kind of act. A verb in no row may be carried out by any act on the named elements."""
_OTHER = Verb("", None)
_THERE = Verb("archive|move|cancel|accept|reject|download|buy|purchase|book", None, there=True)
_QUIET = (
    r"verify|assert|ensure|make sure|observe|inspect|look|see|wait|read|note|compare|expect|review|view"
    r"|check (?:that|whether|if|for)|confirm (?:that|whether|if)|remember|keep|store|record|capture|copy"
    rf"|memori[sz]e|take|save (?=.{0, 200}\bas\b)|{ASK}"
)
"""Verbs of parts that observe, remember or ask a person: no act is demanded on the elements they name."""
_DOING = (
    r"add|buy|purchase|pay|submit|send|save|put|search|log|sign|open|go|visit|navigate|create|update|edit|change"
    r"|set|rename|subscribe|register|accept|reject|dismiss|confirm|answer|cancel|book|apply|switch|turn|run|execute|download|archive|move"
)
"""Verbs of parts that any act may carry out."""
_SUBORDINATE = r"so that|until|once|as soon as|when|if|unless|while|after|before|because"
"""Words that begin a part about time or reason."""
_HEAD = re.compile(
    r"(?:^|[.;:,!\n–—]\s*|\b(?:and|then|to|now|please|first|next|finally|also|again|just|i|we|you|user|visitor|tester"
    r"|he|she|they|must|should|shall|will|can|by|or)\s+"
    r"|(?<!\bthe\s)(?<!\ban\s)(?<!\ba\s)\b(?=[a-z-]{2,12}\s+(?:on\s+)?(?:the\s+)?⟦))"
    rf"(?:(?P<quiet>{_QUIET})|(?P<verb>{'|'.join(f'(?P<v{n}>{it.words})' for n, it in enumerate(VERBS))})"
    rf"|(?P<doing>{_DOING}))(?:e?s|ing|ping|ging|ting)?\b|\b(?P<when>{_SUBORDINATE})\b",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"\b(?:on|in|at|from|of|inside|within)\s+(?:the\s+|a\s+|your\s+)?(?:"
    r"⟦\d+⟧\s+(?:web\s*)?(?:page|screen|site|view|app|application|window|tab)\b"
    r"|(?:web\s*)?(?:page|screen|site|view|app|application|window|tab)\s+(?:called\s+|named\s+|titled\s+)?⟦\d+⟧)",
    re.IGNORECASE,
)
"""Where one is, which nobody acts on."""
TICKED = TOGGLES | {"menuitemcheckbox", "menuitemradio", "option", "treeitem"}
"""Roles of elements that a click chooses or ticks."""
_QUIET_ACTS = acts_of("scroll hover")
_PICKS = acts_of("point choose")
_FOR_IT = re.compile(r"\b(?:for|as|with|by|to|from|until|on|at)\s+(?:the\s+)?(?:\w+\s+)?$", re.IGNORECASE)
"""What stands before a name that says how, for whom or until when."""
_WORD = re.compile(r"[^\W\d_]{2}")
_TO_FIELD = re.compile(r"\b(?:into|in|to|from|for|field|box|list|menu)\s+(?:the\s+)?$", re.IGNORECASE)
_OF_FIELD = re.compile(
    r"\s+(?:(?:text|input|search|drop-?down)\s+)?(?:field|box|area|input|list|menu|with)\b", re.IGNORECASE
)
"""What stands before or after the name of a field."""
_TYPED = acts_of("enter choose")
"""Acts whose text must match as a whole: "milk and eggs" is not "milk"."""
_ANSWERS = frozenset({"ok", "cancel", "yes", "no", "accept", "dismiss", "confirm", "close"})
"""Names of buttons in the browser's own dialogs; those are answered, not clicked."""
_LITERAL = re.compile(r"⟦(\d+)⟧")
_NO_MARKS = str.maketrans("⟦⟧", "[]")
_JOINT = re.compile(r"[,;]|\b(?:and|or|then|plus)\b", re.IGNORECASE)
_DIRECT = re.compile(
    r"\s*(?:(?:on|at|the|a|an|this|button|link|icon|menu|tab|option|key|keys|label|entry|element|field)\s+)*"
    r"(?:once\s+|twice\s+)?",
    re.IGNORECASE,
)


def demands(action: str) -> tuple[Demand, ...]:
    """Return the demands of an action, one for each part that has a verb to act or a name."""
    quoted = literals(action)
    numbers = count()
    plain = QUOTED.sub(lambda _: f"⟦{next(numbers)}⟧", action.translate(_NO_MARKS))
    plain = _CONTEXT.sub(", ", plain)
    heads = list(_HEAD.finditer(plain))
    lead = plain[: heads[0].start()] if heads else plain
    parts = [*_part(_OTHER, "", lead, quoted)] if not heads else []
    carried = lead if heads else ""  # 'In the row "Mug", click "Delete"': the lead belongs to the first act
    for index, head in enumerate(heads):
        end = heads[index + 1].start() if index + 1 < len(heads) else len(plain)
        if head["quiet"] or head["when"]:
            continue
        number = next((n for n in range(len(VERBS)) if head[f"v{n}"]), None)
        said = head["verb"] or head["doing"]
        other = _THERE if re.fullmatch(_THERE.words, said, re.IGNORECASE) else _OTHER
        verb = other if number is None else VERBS[number]
        parts += _part(verb, said, plain[head.end() : end], quoted, carried)
        carried = ""
    return tuple(parts)


def _part(verb: Verb, said: str, text: str, quoted: tuple[str, ...], lead: str = "") -> Iterator[Demand]:
    """Yield the demand of one part, its names grouped by the joints (and, or, commas) between them."""
    groups: list[list[str]] = []
    end = 0
    for found in _LITERAL.finditer(text):
        if not groups or _JOINT.search(text, end, found.start()):
            groups.append([])
        groups[-1].append(quoted[int(found[1])])
        end = found.end()
    first = _LITERAL.search(text)
    direct = first is not None and _DIRECT.fullmatch(text[: first.start()]) is not None
    before = [quoted[int(found[1])] for found in _LITERAL.finditer(lead)]
    groups = [[*groups[0], *before], *groups[1:]] if groups else [before] if before else []
    if said or groups:
        further = _JOINT.search(text, end)
        beside = f"{lead} {text[further.end() :] if further else ''}".strip()
        yield Demand(verb, said, tuple(map(tuple, groups)), direct, _values(verb, text, quoted), beside)


def _values(verb: Verb, text: str, quoted: tuple[str, ...]) -> frozenset[str]:
    """Return the names that a verb of entering or choosing gives as its value: those that nothing calls a field."""
    if verb.there:
        given = [it for it in _LITERAL.finditer(text) if _FOR_IT.search(text[: it.start()])]
        return frozenset(quoted[int(it[1])] for it in given) | {name for name in quoted if not _WORD.search(name)}
    if not verb.fills:
        return frozenset()
    found = list(_LITERAL.finditer(text))
    fields = {it[1] for it in found if _TO_FIELD.search(text[: it.start()]) or _OF_FIELD.match(text[it.end() :])}
    alone = "point" in (verb.does or ()) and len(found) == 1  # 'Choose "Express"'
    return frozenset(quoted[int(it[1])] for it in found if it[1] not in fields and not alone)


def find_unbound(action: str, acts: Sequence[Act], values: Mapping[str, str]) -> str:
    """Return what an action names and no act was done on, or which kind of act it lacks, or "".

    Only acts that happened count. Names are compared whole and without regard to case; what is entered, exactly.
    """
    return find_removed(action, acts, values) or find_unmet(demands(action), acts, values)


_REMOVING = re.compile(r"\b(?:delete|remove|discard|erase|trash|clear)\b", re.IGNORECASE)


def find_removed(action: str, acts: Sequence[Act], values: Mapping[str, str]) -> str:
    """Return which control that removes something a model used although the action says nothing of that, or ""."""
    if _REMOVING.search(fill_known(action, values)):
        return ""
    used = (name for act in acts if act.by == "model" and act.status == "ok" for name in act.target[:1])
    name = next((name for name in used if _REMOVING.match(name)), "")
    return f"{name!r} was used, and the step does not say to remove anything" if name else ""


def find_unmet(asked: Sequence[Demand], acts: Sequence[Act], values: Mapping[str, str]) -> str:
    """Return which of these demands the acts do not meet, or ""."""
    done = [act for act in acts if act.status == "ok"]
    for demand in asked:
        fit = [act for act in done if demand.verb.does is None or _does_of(act) in demand.verb.does]
        if demand.verb.does is not None and not fit and not (demand.verb.by_words and done):
            return f"the step says to {demand.said.casefold()}, and nothing that was done does that"
        for number, names in enumerate(demand.names):
            wanted = tuple(fill_known(name, values) for name in names)
            direct = demand.direct and demand.verb.on_name and number == 0
            typed = frozenset(fill_known(name, values) for name in demand.values)
            borne = (
                _is_there(wanted, done, typed) if demand.verb.there else _borne(demand.verb, wanted, fit, done, direct)
            )
            if not (borne or _marked(demand, wanted, done)):
                what = " and ".join(repr(name) for name in wanted)
                return f"the step says to {demand.said.casefold() or 'act on'} {what}, and nothing was done so on it"
    return ""


def _does_of(act: Act) -> Does:
    """Return what an act does: a click on a checkbox ticks it."""
    return "choose" if act.does == "point" and act.role in TICKED else act.does


def _borne(verb: Verb, names: tuple[str, ...], fit: Sequence[Act], done: Sequence[Act], direct: bool) -> bool:
    """Return whether one act is on all of these names; with verbs that take several steps, also with those before."""
    if verb.does is None:
        return all(any(_bears(act, name) for act in done) for name in names)
    for act in fit:
        missing = [name for index, name in enumerate(names) if not _bears(act, name, itself=direct and index == 0)]
        if not missing:
            return True
        before = [other for other in done[: done.index(act)] if other.on_device]
        alone = not act.target or (_does_of(act) in _PICKS and names[0] not in missing)
        if verb.stepwise and alone and len(missing) < len(names):
            return all(any(_bears(other, name) for other in before) for name in missing)
    return False


def _is_there(names: tuple[str, ...], done: Sequence[Act], typed: Collection[str]) -> bool:
    """Return whether acts are on what has these names, or have entered those that may be `typed`."""
    real = [act for act in done if act.does not in _QUIET_ACTS]
    return all(any(_bears(act, name, entered=name in typed) for act in real) for name in names)


def _marked(demand: Demand, names: tuple[str, ...], done: Sequence[Act]) -> bool:
    """Return whether the names were marked, and then something was used that is called like the verb."""
    marked = [index for index, act in enumerate(done) if all(_bears(act, name, entered=False) for name in names)]
    if not demand.verb.by_words or not marked:
        return False
    said = demand.said.casefold()
    return any(said in " ".join(act.target).casefold() for act in done[marked[0] + 1 :] if act.does == "point")


def is_called(text: str, name: str) -> bool:
    """Return whether what bears a text is called by a name: "Cart (2)" is the "Cart", "Save a copy" is no "Save"."""
    said, wanted = squash(text).casefold(), squash(name).casefold()
    before, found, after = said.partition(wanted)
    return bool(found) and stands_alone(said, wanted) and not any(one.isalpha() for one in before + after)


def _bears(act: Act, name: str, *, itself: bool = False, entered: bool = True) -> bool:
    """Return whether an act is on what has this name, or has `entered` it.

    `itself`: it is the target, and not what the target is in.
    """
    if act.does == "answer" and name.casefold() in _ANSWERS:
        return True
    wanted = squash(name)
    if not wanted:
        return True
    if act.does == "key" and key_name(name) in map(key_name, act.entered):
        return True
    entered = entered and not itself
    if entered and wanted in map(squash, act.entered):
        return True
    if any(is_called(text, name) for text in (*act.target, *(() if itself else act.place))):
        return True
    texts = [act.program, *(act.entered if entered and act.does not in _TYPED else ())]
    if any(stands_alone(squash(text).casefold(), wanted.casefold()) for text in texts if text):
        return True
    address = unquote(act.address).casefold()
    return bool(address) and (wanted.casefold() in address or ("/" in name and address in wanted.casefold()))
