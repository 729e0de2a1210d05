"""Whether acts have certainly carried out a whole action, so that what is missing then is the product's fault. Pure.

A pass needs less: the expectation shows that the step was done. Where the expectation is false, nothing else does.
"""

import re
from collections.abc import Mapping, Sequence

from muster_evidence.action_demands import Demand, acts_of, demands, find_unmet, is_called
from muster_protocol.facts import Act
from muster_text.values import fill_known
from muster_text.wording import KINDS, PLAIN, stems, strip_literals, word_set, words

_QUIET = acts_of("hover scroll")
_WAYS = re.compile(r"\b(?:with|as|using|for|by|via|through)\b([^,;.]*)", re.IGNORECASE)
"""What an action says of how it is to be done, with what, or for whom."""
_AS_USUAL = re.compile(r"\bas\s+(?:usual|always|[^,;.]*\b(?:would|does|do|should)\b)", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:each|every|all|both|several|twice|thrice|times|until|repeatedly|two|three|four|five|\d+)\b", re.IGNORECASE
)
_GOING = word_set("open go visit navigate")
_ANSWERING = stems(word_set("accept dismiss confirm answer cancel reject"))
_ASIDE = word_set(
    "please me us him her them usual usually careful carefully kindly once while moment now let's try first next "
    "finally look around then again twice so"
)
_MARK = re.compile(r"⟦\d+⟧")


def find_unfinished(action: str, acts: Sequence[Act], values: Mapping[str, str]) -> str:
    """Return why acts that meet the demands of an action may not have carried out all of it, or ""."""
    done = [act for act in acts if act.status == "ok"]
    asked = demands(action)
    if not asked:
        return "the step does not say by which acts it is carried out"
    left = next(filter(None, (_find_left(demand, done) for demand in asked)), "")
    return left or (_find_ways_left(action, done, values) if any(it.verb.does is None for it in asked) else "")


def _find_left(demand: Demand, done: Sequence[Act]) -> str:
    """Return what of one part of an action may be left, or ""."""
    if unread := sorted(_telling(_AS_USUAL.sub(" ", demand.beside))):
        return f"it is not known which act carries out {unread[0]!r}"
    if demand.verb.does is None:
        return "" if _is_used(demand, done) else f"nothing that was used is called {demand.said.casefold()!r}"
    one_act = demand.verb.on_name or demand.verb.does & _QUIET
    return "" if demand.names or one_act else f"the step says to {demand.said.casefold()}, and does not quote what"


def _find_ways_left(action: str, done: Sequence[Act], values: Mapping[str, str]) -> str:
    """Return which words on how, with what, for whom or how often no act has borne, or ""."""
    plain = _AS_USUAL.sub(" ", strip_literals(fill_known(action, values)))
    if several := _SEVERAL.search(plain):
        return f"the step says {several[0]!r}, and one act may not be all"
    wanted = stems(word for part in _WAYS.findall(plain) for word in _telling(part))
    left = sorted(wanted - stems(word for act in done for text in _texts(act) for word in words(text)))
    return f"the step says {left[0]!r}, and nothing that was done shows that" if left else ""


def _telling(text: str) -> frozenset[str]:
    """Return the words of a text that ask for something."""
    return words(_MARK.sub(" ", text)) - PLAIN - KINDS - _ASIDE


def find_unasked(action: str, acts: Sequence[Act], index: int, values: Mapping[str, str]) -> str:
    """Return why the act of an index, which found nothing of its name, was not what an action asks for then, or ""."""
    act, before = acts[index], [it for it in acts[:index] if it.status == "ok"]
    why = f"the step does not say to do that with {(*act.target, '')[0]!r}"
    asked = demands(action)
    for place, demand in enumerate(asked):
        if not _asks_for(demand, act, values):
            continue
        earlier = asked[:place]
        why = find_unmet(earlier, before, values) or (
            "" if len(before) >= len(earlier) else "the step says to do something else before"
        )
        if not why:
            return ""
    return why


def _asks_for(demand: Demand, act: Act, values: Mapping[str, str]) -> bool:
    """Return whether a demand names what an act was to be done on, and what it was to enter or choose."""
    kinds = demand.verb.does
    if kinds is not None and act.does not in kinds:
        return False
    for group in demand.names:
        given = [fill_known(name, values) for name in group]
        entered = [fill_known(name, values) for name in demand.values if name in group]
        named = all(any(is_called(text, name) for name in given if name not in entered) for text in act.target)
        if (
            act.target
            and named
            and all(any(is_called(text, name) for name in given) for text in (*act.place, *act.entered))
        ):
            return True
    return False


def _is_used(demand: Demand, done: Sequence[Act]) -> bool:
    """Return whether something was used that is called like the verb, or all that the part names was acted on."""
    said = stems(words(demand.said))
    if said & _GOING or (said & _ANSWERING and any(act.does == "answer" for act in done)):
        return True
    return any(said & stems(words(text)) for act in done for text in (*act.target, act.program, act.address))


def _texts(act: Act) -> tuple[str, ...]:
    return (*act.target, *act.place, *act.entered, act.program, act.address)
