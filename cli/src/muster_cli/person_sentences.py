"""What a person did in a browser, as the steps of a case with suggested expectations. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from muster_cases.case_fields import quoted
from muster_cli.page_sentences import NOUNS, ORDINALS, is_name, text_claim
from muster_cli.tried_case import TriedStep
from muster_devices.screen import Element
from muster_devices.web.person_recorder import PersonAct
from muster_grammar import PhraseError, parse_action
from muster_text.text_match import place_without, squash

MOST_TEXTS = 2
"""New texts that are suggested after an act."""
_ENTERING = ("enter", "select")


class Written(NamedTuple):
    """Steps, and what was done that no sentence says."""

    steps: list[TriedStep]
    unsaid: list[str]


def write_steps(start: str, base_url: str, acts: Sequence[PersonAct]) -> Written:
    """Return the steps of a case that begins at an address below `base_url`."""
    opening = TriedStep(f"Open {quoted(start.replace(base_url, '${base_url}', 1))}")
    made, shown = Written([opening], []), PersonAct(kind="shown")
    for act in _without_repetitions(acts):
        match act.kind:
            case "shown":
                _expect(made.steps[-1], shown, act)
                shown = act
            case "dialog":
                _answer(made, act)
            case _:
                _do(made, act)
    return made


def _without_repetitions(acts: Sequence[PersonAct]) -> Iterable[PersonAct]:
    """Yield the acts; of several texts entered into the same field one after the other the last one counts."""
    others = [act for act in acts if act.kind != "shown"]
    for act in acts:
        at = others.index(act) if act in others else -1
        after = others[at + 1] if 0 <= at < len(others) - 1 else None
        again = act.kind in _ENTERING and after is not None and after.kind == act.kind and _same(after, act)
        if not again:
            yield act


def _same(one: PersonAct, other: PersonAct) -> bool:
    a, b = one.element, other.element
    return a is not None and b is not None and (a.role, a.name, a.place) == (b.role, b.name, b.place)


def _do(made: Written, act: PersonAct) -> None:
    element = act.element
    named = element is not None and _is_plain(element.name) and not any("${" in it for it in (act.value, element.place))
    lost = act.kind == "enter" and "\n" in act.value  # a sentence is one line
    sentence = _sentence(act, element, _wording(element, act)) if element is not None and named and not lost else ""
    if _is_read(sentence):
        made.steps.append(TriedStep(sentence))
        return
    what = f"{element.words()} in {quoted(element.place)}" if element is not None else "something"
    made.unsaid.append(f"after step {len(made.steps)}: {act.kind} {what}")


def _is_plain(text: str) -> bool:
    """Return whether a text can stand in a sentence as it is: a page must not write placeholders of secrets there."""
    return is_name(text) and "${" not in text


def _is_read(sentence: str) -> bool:
    try:
        return bool(sentence) and bool(parse_action(sentence))
    except PhraseError:
        return False


def _wording(element: Element, act: PersonAct) -> str:
    """Return the words that mean the element alone: its name, else the part it is in, else its place in line."""
    what = f"{quoted(squash(element.name))} {_noun(element, act.kind)}".strip()
    if act.total <= 1:
        return f"the {what}"
    place = place_without(element.place, element.name)
    if is_name(place) and act.here <= 1:
        return f"the {what} in {quoted(squash(place))}"
    return f"the {ORDINALS[act.number - 1]} {what}" if 0 < act.number <= len(ORDINALS) else f"the {what}"


def _noun(element: Element, kind: str) -> str:
    return NOUNS.get(element.role, "field" if kind in ("enter", "press", "upload") else "")


def _sentence(act: PersonAct, element: Element, what: str) -> str:
    lines = [quoted(line) for line in act.value.splitlines() if line.strip()]
    match act.kind:
        case "click":
            return f"Click {what}"
        case "check" | "uncheck":
            return f"{act.kind.capitalize()} {what}"
        case "enter" if element.secret:
            return f"Type {quoted('${secret:' + _secret_name(element.name) + '}')} into {what}"
        case "enter" if element.role == "slider":
            return f"Set {what} to {quoted(act.value)}"
        case "enter":
            return f"Type {quoted(act.value)} into {what}" if act.value else f"Clear {what}"
        case "select" if lines:
            return f"Select {' and '.join(lines)} in {what}"
        case "upload" if lines:
            return f"Upload {' and '.join(lines)} to {what}"
        case "press":
            return f"Press {act.value} in {what}"
        case _:
            return ""


def _secret_name(label: str) -> str:
    return re.sub(r"[^A-Z0-9]+", "_", label.upper()).strip("_") or "SECRET"


def _answer(made: Written, act: PersonAct) -> None:
    """Add how a dialog was answered to the step that opened it."""
    answer, _, typed = act.value.partition("\n")
    last = made.steps[-1]
    if typed:
        made.unsaid.append(f"in step {len(made.steps)}: {quoted(typed)} was typed into a dialog")
    last.action += f" and {answer} the dialog"
    says = next(iter(act.shown), "")
    if _is_plain(says):
        last.expected.append(f"A dialog says {quoted(squash(says))}")


def _expect(step: TriedStep, before: PersonAct, now: PersonAct) -> None:
    """Suggest what a page shows since a step: its title, and its heading and messages."""
    if now.title != before.title and _is_plain(now.title):
        step.expected = [one for one in step.expected if not one.startswith("The page title")]
        step.expected.append(f"The page title is {quoted(squash(now.title))}")
    lines = [line for text in now.shown for line in text.splitlines()[:1]]
    new = [text for text in lines if text not in {line for one in before.shown for line in one.splitlines()}]
    claims = [text_claim(text) for text in dict.fromkeys(new) if _is_plain(text)]
    known = len([one for one in step.expected if one.startswith("The text")])
    step.expected += [claim for claim in claims if claim not in step.expected][: max(0, MOST_TEXTS - known)]
