"""An interactive trial of sentences; those that worked can be saved as a case."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from muster_authoring.book_checks import meant
from muster_authoring.own_cases import load_cases
from muster_authoring.own_sentence import Kind
from muster_authoring.phrase_book import OwnSentenceError, PhraseBook, Unfolding
from muster_cases.case_problems import CaseError
from muster_cli.live_session import LiveSession, Performed
from muster_cli.page_look import look_at
from muster_cli.subcommands.look import page_lines
from muster_cli.tried_case import TriedStep, case_text
from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_protocol.causes import Failure

HELP = """\
A sentence            is carried out, or checked, and kept if it works: Click the "Log in" button
look [TEXT]           what is on the page, or on the part of it with this text, as sentences
steps                 what is kept so far
forget                leaves out what was kept last; the page stays as it is
save FILE.yaml        writes a case of what is kept
quit                  or Ctrl-D"""
SUFFIXES = (".yaml", ".yml")
_IS_ON = re.compile(r"(?:I|(?:the )?\w+) (?:am|is|should be) (?:still |now |again )?(?:on|at) ", re.IGNORECASE)
"""What a sentence begins with that says on which page somebody is."""
Pairs = tuple[tuple[str, str], ...]
"""Actions, each with what is expected after it."""


class Trial:
    """The sentences typed so far, and their session."""

    def __init__(
        self, session: LiveSession, book: PhraseBook, variables: dict[str, str], say: Callable[[str], None]
    ) -> None:
        self._session, self._book, self._variables, self._say = session, book, variables, say
        self._session.values |= variables
        self.steps: list[TriedStep] = []
        self.proposed: tuple[str, ...] = ()
        """Sentences of the last look."""
        self.failed = 0
        self.unsaved = False
        """Whether something is kept that is in no file yet."""

    def as_case(self, name: str = "Tried") -> str:
        """Return what is kept as a case in YAML."""
        return case_text(name, self.steps, self._variables)

    async def take(self, line: str) -> bool:
        """Carry out a line; return False if it ends the trial."""
        word, _, rest = line.strip().partition(" ")
        match word.lower(), rest.strip():
            case "", _:
                pass
            case (("quit" | "exit"), ""):
                return False
            case "help", "":
                self._say(HELP)
            case "look", part:
                await self._look(part.strip("\"'"))
            case "steps", "":
                self._say(self.as_case().rstrip() if self.steps else "nothing yet")
            case "forget", "":
                self._forget()
            case "save", "":
                self._say("say where to: save FILE.yaml")
            case "save", file if file.lower().endswith(SUFFIXES) and " " not in file:
                self._save(Path(file))
            case _:
                await self._sentence(line.strip())
        return True

    async def _sentence(self, text: str) -> None:
        kind = self._kind(text)
        try:
            pairs = Unfolding(self._book).step(text, "") if kind == "step" else self._claims(text)
        except OwnSentenceError as error:
            self._say(f"  ✗ {error}")
            self.failed += 1
            return
        if kind == "expectation" and not self.steps:
            self._say("  an expectation belongs to the step before it, and there is none yet: do something first")
            return
        for action, expected in pairs:
            if not await self._worked(action, expected):
                self.failed += 1
                return
        self._keep(kind, text, pairs)

    def _claims(self, text: str) -> Pairs:
        return (("", Unfolding(self._book).expectation(text)),)

    def _kind(self, text: str) -> Kind:
        """Return what a sentence is. One that may be either, such as "I am on …", says after a step what must be so."""
        if self._is_action(text) and not (self.steps and self._is_claim(text)):
            return "step"
        told = self._is_expectation(text) or (self.steps and _IS_ON.match(text))
        return "expectation" if told else "step"

    def _is_action(self, text: str) -> bool:
        try:
            if not self._book.in_action(text):
                parse_action(text)
        except (PhraseError, OwnSentenceError):
            return False
        return True

    def _is_claim(self, text: str) -> bool:
        """Return whether a sentence that is an action, too, and no sentence of their own, says where somebody is."""
        return not self._book.in_action(text) and _IS_ON.match(text) is not None and self._is_expectation(text)

    def _is_expectation(self, text: str) -> bool:
        try:
            if not self._book.in_expectation(text):
                parse_expectation(text)
        except (PhraseError, OwnSentenceError):
            return False
        return True

    async def _worked(self, action: str, expected: str) -> bool:
        for text, perform in ((action, self._session.act), (expected, self._session.expect)):
            if text.strip() and not self._report(text, await perform(text)):
                return False
        return True

    def _report(self, text: str, performed: Performed) -> bool:
        """Print the outcome of a sentence, and return whether it passed."""
        result = performed.result
        for line in dict.fromkeys(_lines_of(performed)):
            self._say(f"  {line}")
        if result.status == "pass":
            return True
        near = self._book.near("step", text, 0.5) if result.failure == Failure.UNKNOWN_PHRASE else None
        stays = "; what was done stays done" if result.last_act >= 0 else ""
        self._say(f"  ✗ {result.summary}{meant(near)}\n  not kept{stays}")
        return False

    def _keep(self, kind: Kind, text: str, pairs: Pairs) -> None:
        if kind == "step":
            self.steps.append(TriedStep(text))
        else:
            self.steps[-1].expected.append(text)
        self.unsaved = True
        self.steps[-1].stands_for += [part for pair in pairs for part in pair]

    def _forget(self) -> None:
        if not self.steps:
            self._say("nothing is kept")
            return
        last = self.steps[-1]
        gone = last.expected.pop() if last.expected else self.steps.pop().action
        self.unsaved = bool(self.steps)
        self._say(f"left out: {gone}")

    async def _look(self, part: str) -> None:
        async with self._session.attached() as held:
            view = await look_at(held, part)
        self.proposed = (
            *(text for one in view.elements for text in (*one.actions, *one.expectations)),
            *view.expectations,
        )
        for line in page_lines(view):
            self._say(line)

    def _save(self, file: Path) -> None:
        if not self.steps:
            self._say("nothing is kept that could be saved")
            return
        if file.exists():
            self._say(f"{file} is there already: choose another name")
            return
        try:
            file.write_text(self.as_case(file.stem.replace("-", " ")), encoding="utf-8")
            self.unsaved = False
            load_cases([file])
        except CaseError as error:
            self._say(f"saved as {file}, and yet to be completed: {error}")
        except OSError as error:
            self._say(f"{file} cannot be written: {error.strerror or error}")
        else:
            self._say(f"saved as {file}; run it with: muster run {file}")


def _lines_of(performed: Performed) -> Iterator[str]:
    """Yield what the calls for a sentence did and saw."""
    for made in performed.calls:
        outcome = made.outcome
        if outcome.status == "ok":
            yield f"✓ {made.call.clause}: {outcome.seen or outcome.text}" if made.call.clause else f"→ {outcome.text}"
