"""What a person did in a browser, as the steps of a case with suggested expectations. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from muster_cases.case_fields import quoted
from muster_cli.page_sentences import CONTAINERS, NOUNS, ORDINALS, is_name, text_claim
from muster_cli.tried_case import TriedStep
from muster_devices.screen import Element
from muster_devices.web.person_recorder import PersonAct
from muster_grammar import PhraseError, parse_action
from muster_text.text_match import place_without, squash

MOST_TEXTS = 2
"""New texts that are suggested after an act."""
_ENTERING = ("enter", "select")
_FILLING = (*_ENTERING, "check", "uncheck", "upload")
_POINTING = {"click": "Click", "double-click": "Double-click", "right-click": "Right-click"}
_GOING = {"back": "Go back", "forward": "Go forward", "reload": "Reload the page"}
_KEYS = {" ": "Space", "+": "Plus"}


class Written(NamedTuple):
    """Steps, and what was done that no sentence says."""

    steps: list[TriedStep]
    unsaid: list[str]


def write_steps(start: str, base_url: str, acts: Sequence[PersonAct]) -> Written:
    """Return the steps of a case that begins at an address below `base_url`."""
    script = _Script(start, base_url)
    for act in _meant(acts):
        script.add(act)
    return script.written


def written_address(url: str) -> tuple[str, str]:
    """Return an address as a case opens it, with a secret in place of a password, and what its pages have in common."""
    parts = urlsplit(url)
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    base_url = f"{parts.scheme}://{host}"
    rest = url.partition("//")[2].removeprefix(parts.netloc)
    shown = f"{user}:${{secret:SITE_PASSWORD}}@" if password else f"{login}@" if login else ""
    return f"{parts.scheme}://{shown}{host}{rest}", base_url


def _meant(acts: Sequence[PersonAct]) -> Iterable[PersonAct]:
    """Yield what was meant by the acts: what the next one says as well is left out, as is the closing of all tabs.

    Of several pictures of a page the last one before the next act counts; what came during typing came with the text.
    """
    others = [act for act in acts if act.kind != "shown"]
    while others and others[-1].kind == "closed":
        others.pop()
    kept = {id(act): not _is_said_by(act, others[at + 1 : at + 3]) for at, act in enumerate(others)}
    shown: PersonAct | None = None
    goes_on = False
    for act in acts:
        if act.kind == "shown":
            shown = act
        elif id(act) in kept:
            if shown and not goes_on:
                yield shown
                shown = None
            if kept[id(act)]:
                yield act
            goes_on = not kept[id(act)]
    if shown:
        yield shown


def _is_said_by(act: PersonAct, after: Sequence[PersonAct]) -> bool:
    """Return whether what was done next says an act as well: a text that replaces another, a click into its field."""
    if act.kind == "click" and any(one.kind == "double-click" and _same(one, act) for one in after):
        return True
    following = next(iter(after), None)
    if following is None or not _same(following, act):
        return False
    again = act.kind in _ENTERING and following.kind == act.kind
    return again or (act.kind == "click" and following.kind in _FILLING)


def _same(one: PersonAct, other: PersonAct) -> bool:
    a, b = one.element, other.element
    if a is None or b is None or (one.tab, one.number) != (other.tab, other.number):
        return False
    return (a.role, a.name, a.place) == (b.role, b.name, b.place)


class _Script:
    """The steps written so far, and the tab in which the case continues."""

    def __init__(self, start: str, base_url: str) -> None:
        self._base_url = base_url
        self.written = Written([TriedStep(f"Open {quoted(self._address(start))}")], [])
        self._tabs, self._tab = [1], 1
        self._shown = dict[int, PersonAct]()
        self._lost = False
        """Whether the last act is not said: what comes of it is none of the step before."""
        self._scripted = False

    def add(self, act: PersonAct) -> None:
        """Add the sentence for an act, or the expectations for what a page showed after it."""
        scripted, self._scripted = self._scripted, act.kind == "scripted"
        match act.kind:
            case "shown":
                self._scripted = scripted
                self._expect(act)
            case "dialog":
                self._answer(act)
            case "opened":
                self._open(act)
            case "closed":
                self._close(act, scripted=scripted)
            case "go" if not scripted:
                self._turn_to(act.tab)
                self._say(_GOING.get(act.value) or self._opening(act.value), act)
            case "go" | "scripted":
                pass
            case _:
                self._turn_to(act.tab)
                self._say(_sentence(act), act)

    def _address(self, address: str) -> str:
        rest = address.removeprefix(self._base_url)
        below = rest != address and (not rest or rest[0] in "/?#")
        return "${base_url}" + rest if below else address

    def _opening(self, address: str) -> str:
        """Return that an address was typed; what it holds is no placeholder, and a password in it is not written."""
        return "" if "${" in address else f"Open {quoted(self._address(written_address(address)[0]))}"

    def _say(self, sentence: str, act: PersonAct) -> None:
        self._lost = not _is_read(sentence)
        if self._lost:
            self._miss(f"{act.kind} {_told(act)}")
        else:
            self.written.steps.append(TriedStep(sentence))

    def _miss(self, what: str) -> None:
        self.written.unsaid.append(f"after step {len(self.written.steps)}: {what}")
        self.written.steps[-1].remarks.append(f"not said: {what}")

    def _open(self, act: PersonAct) -> None:
        """A tab that the page opens is the current one; for one of the person's own there is a step."""
        self._tabs.append(act.tab)
        self._tab = act.tab
        if act.value:
            self.written.steps.append(TriedStep("Open a new tab"))

    def _turn_to(self, tab: int) -> None:
        if tab != self._tab and tab in self._tabs:
            self.written.steps.append(TriedStep(f"Switch to tab {self._tabs.index(tab) + 1}"))
            self._tab = tab

    def _close(self, act: PersonAct, *, scripted: bool) -> None:
        if not scripted:
            self._turn_to(act.tab)
            self.written.steps.append(TriedStep("Close the tab"))
        if act.tab in self._tabs:
            self._tabs.remove(act.tab)
        if act.tab == self._tab:
            self._tab = self._tabs[-1] if self._tabs else 0

    def _answer(self, act: PersonAct) -> None:
        """Add how a dialog was answered to the step that opened it."""
        answer, _, typed = act.value.partition("\n")
        says = next(iter(act.shown), "")
        said = f" and answer the prompt with {quoted(typed)}" if typed else f" and {answer} the dialog"
        last = self.written.steps[-1]
        if self._lost or not _is_read(last.action + said) or "${" in typed:
            self._miss(f"{answer} a dialog that says {quoted(squash(says))}")
            return
        last.action += said
        if _is_plain(says):
            last.expected.append(f"A dialog says {quoted(squash(says))}")

    def _expect(self, now: PersonAct) -> None:
        """Suggest what a page shows since a step: its title, and its heading and messages."""
        before, self._shown[now.tab] = self._shown.get(now.tab, PersonAct(kind="shown")), now
        if self._lost or now.tab != self._tab:
            return
        step = self.written.steps[-1]
        if now.title != before.title and _is_plain(now.title):
            step.expected.append(f"The page title is {quoted(squash(now.title))}")
        lines = [line for text in now.shown for line in text.splitlines()[:1]]
        new = [text for text in lines if text not in {line for one in before.shown for line in one.splitlines()}]
        step.expected += [text_claim(text) for text in dict.fromkeys(new) if _is_plain(text)][:MOST_TEXTS]


def _is_plain(text: str) -> bool:
    """Return whether a text can stand in a sentence as it is: a page must not write placeholders of secrets there."""
    return is_name(text) and "${" not in text


def _is_read(sentence: str) -> bool:
    try:
        return bool(sentence) and bool(parse_action(sentence))
    except PhraseError:
        return False


def _told(act: PersonAct) -> str:
    """Return an act's element in words, for an act that no sentence says."""
    if act.element is None:
        return quoted(act.value) if act.kind in ("press", "go") else "something"
    words = f"{act.element.role or act.element.native or 'element'} {quoted(squash(_name(act.element))[:60])}"
    return f"{words} in {quoted(act.element.place)}" if act.element.place else words


def _name(element: Element) -> str:
    """Return what an element is called: by its name, else, if it is no control, by its text."""
    return element.name or ("" if element.role in NOUNS else element.text)


def _wording(element: Element, act: PersonAct) -> str:
    """Return the words that mean the element alone: its name, else the part it is in, else its place in line."""
    what = f"{quoted(squash(_name(element)))} {_noun(element, act.kind)}".strip()
    if act.total <= 1:
        return f"the {what}"
    place = place_without(element.place, _name(element))
    if is_name(place) and act.here <= 1:
        return f"the {what} in {quoted(squash(place))}"
    return f"the {ORDINALS[act.number - 1]} {what}" if 0 < act.number <= len(ORDINALS) else f"the {what}"


def _noun(element: Element, kind: str) -> str:
    return NOUNS.get(element.role, "field" if kind in ("enter", "press", "upload") else "")


def _sentence(act: PersonAct) -> str:
    """Return an act as a sentence; empty if none says it."""
    element = act.element
    if element is None:
        return f"Press {_key(act.value)}" if act.kind == "press" else ""
    named = _is_plain(_name(element)) and not any("${" in it for it in (act.value, element.place))
    if not named:
        return ""
    what = _wording(element, act)
    if act.kind == "enter":
        return _entering(act, element, what)
    if act.kind == "drag":
        onto = _name(act.onto) if act.onto else ""
        apart = _is_plain(onto) and squash(onto) != squash(_name(element))
        part = f" {CONTAINERS[act.onto.role]}" if act.onto and act.onto.role in CONTAINERS else ""
        return f"Drag {what} to the {quoted(squash(onto))}{part}" if apart else ""
    return _using(act, what)


def _using(act: PersonAct, what: str) -> str:
    lines = [quoted(line) for line in act.value.splitlines() if line.strip()]
    match act.kind:
        case "click" if act.value:
            return f"{act.value.capitalize()}+click {what}"
        case "click" | "double-click" | "right-click":
            return f"{_POINTING[act.kind]} {what}"
        case "open":
            return f"Open {what} in a new tab"
        case "check" | "uncheck":
            return f"{act.kind.capitalize()} {what}"
        case "select" if lines:
            return f"Select {' and '.join(lines)} in {what}"
        case "upload" if lines:
            return f"Upload {' and '.join(lines)} to {what}"
        case "press":
            return f"Press {_key(act.value)} in {what}"
        case _:
            return ""


def _entering(act: PersonAct, element: Element, what: str) -> str:
    if element.secret:
        return f"Type {quoted('${secret:' + _secret_name(element.name) + '}')} into {what}"
    if "\n" in act.value:  # a sentence is one line
        return ""
    if element.role == "slider":
        return f"Set {what} to {quoted(act.value)}"
    return f"Type {quoted(act.value)} into {what}" if act.value else f"Clear {what}"


def _key(keys: str) -> str:
    """Return a key, or a chord such as `ctrl+s`, as sentences write it."""
    *held, key = keys.split("+") if not keys.endswith("+") else (*keys[:-1].split("+")[:-1], "+")
    return "+".join([*(one.capitalize() for one in held), _KEYS.get(key, key)])


def _secret_name(label: str) -> str:
    name = re.sub(r"[^A-Z0-9]+", "_", label.upper()).strip("_")
    return name if name and not name[0].isdigit() else f"SECRET_{name}".strip("_")
