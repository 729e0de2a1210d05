"""Decides whether an element found in a picture fits a step, by the rules that bind acts to words. Pure."""

from collections.abc import Mapping

from muster_evidence.action_demands import Demand, acts_of, demands, find_removed, find_unmet
from muster_exploration.risky_words import risk_in
from muster_protocol.detector_work import Located
from muster_protocol.facts import Act
from muster_subagent.tools.device_calls import described_touched
from muster_text.values import fill_known
from muster_text.wording import KINDS, stems, subject_stems, words

POINTING = acts_of("point double secondary hold")
"""What may be done to an element that was found in a picture: all of them are sent as a whole, or not at all."""


def find_misfit(action: str, located: Located, values: Mapping[str, str]) -> str:
    """Return why an element is none that an action first says to point at, or ""."""
    demand = pointing_demand(action)
    if demand is None:
        return "the step does not say first to click or press something, and only that is done by a picture"
    act, told = _act_on(located, demand), describe(located)
    if wrong := find_removed(action, [act], values) or find_unmet([demand], [act], values):
        return f"{told} is not what the step names: {wrong}"
    said = fill_known(action, values)
    risky = next((risk for name in act.target if (risk := risk_in(name)) and risk not in said.casefold()), "")
    if risky:
        return f"{told} may {risky!r}, and the step does not say that"
    nameless = located.known is None or located.known.unnamed
    if nameless and not demand.names and not _is_described(said, located):
        return f"{told} has no name, and its description has none of the step's words"
    return ""


def pointing_demand(action: str) -> Demand | None:
    """Return the first part of an action, if that is carried out by pointing; else None."""
    first = next(iter(demands(action)), None)
    return first if first is not None and (first.verb.does is None or first.verb.does & POINTING) else None


def describe(located: Located) -> str:
    """Return what was found as people are told: as the device knows it, or else as the model saw it."""
    known = located.known
    if known is None or known.unnamed:
        return located.seen.words()
    return f'{known.role or known.native or "element"} "{known.names[0]}"'


def _act_on(located: Located, demand: Demand) -> Act:
    touched = described_touched(located, located.known)
    ways = demand.verb.does or POINTING
    does = "point" if "point" in ways else next(iter(sorted(ways & POINTING)))
    place = (touched.place,) if touched.place else ()
    return Act(call=0, tool="", does=does, status="ok", target=touched.names, place=place, role=touched.role)


def _is_described(action: str, located: Located) -> bool:
    """Return whether a description has words by which an action tells what it means; of kinds only where it has no
    others."""
    first = next(iter(demands(action)), None)
    telling = subject_stems(action) - stems(words(first.said if first else ""))
    seen = located.seen
    described = stems(words(" ".join((seen.type, seen.text, *seen.attributes.values()))))
    return bool(((telling - stems(KINDS)) or telling) & described)
