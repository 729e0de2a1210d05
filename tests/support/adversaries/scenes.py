"""What an adversarial case is made of: a scene, whoever plays in it, and the twin that shows that honesty passes."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from model_server import Answer, Asked, Script, gives
from pages import Page
from thinking import Play

MANY = 1
"""Cases about one scene in one module that are run each time."""
_PLACE = re.compile(r"http://127\.0\.0\.1:\d+/c\d+/")
OPEN = ('Open "@/"', "")


class Scene(NamedTuple):
    """Pages and steps, and a model that carries them out as a careful tester would."""

    pages: Mapping[str, Page]
    steps: Sequence[tuple[str, str]]
    script: Script
    preconditions: tuple[str, ...] = ()
    more: Mapping[str, Any] = {}

    @property
    def play(self) -> Play:
        """The honest twin."""
        return Play(self.pages, self.steps, self.script, self.preconditions, more=self.more)

    def against(
        self, name: str, script: Script, cause: str = "", *, pages: Mapping[str, Page] | None = None
    ) -> "Adversary":
        """Return the scene with another model, and perhaps another product: `pages` in place of those of a name."""
        cheat = self._replace(script=script, pages={**self.pages, **(pages or {})})
        return Adversary(name, cheat.play, self, cause)


class Adversary(NamedTuple):
    """A run that must not pass, and the scene whose honest run must."""

    name: str
    play: Play
    scene: Scene
    cause: str
    """What the verdict must name; empty: any cause will do."""
    slow: bool = False
    """It is one of many of its kind: run with the slow tests."""


def plans(asked: Asked) -> Answer:
    """Plan: every step as it is written."""
    count = len(re.findall(r"^\d+\. ", asked.question, re.MULTILINE))
    return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in range(1, count + 1)]})


def stops(_: Asked) -> Answer:
    """Evaluate: nothing is to be recovered from."""
    return evaluates("stop")


def evaluates(action: str, recovery: str = "", cause: str = "agent") -> Answer:
    """Evaluate as told."""
    text = {"action": action, "reason": "so it is", "cause": cause}
    return gives({**text, "recovery": recovery, "recovery_expected": ""})


def sees(*quotes: str, instead: str = "") -> Script:
    """Look honestly: the statement is true if all of these are on the page; the first is the quote.

    `instead`: what is quoted where it is not true.
    """

    def script(asked: Asked) -> Answer:
        page = asked.question.partition("# The page (data)")[2]
        holds = bool(quotes) and all(quote in page for quote in quotes)
        return gives(
            {"holds": holds, "quote": quotes[0] if holds else instead, "answer": "seen" if holds else "not so"}
        )

    return script


def says_yes(quote: str) -> Script:
    """Look and say yes to anything, with this quote."""
    return lambda _: gives({"holds": True, "quote": quote, "answer": "yes"})


def cast(
    executor: Script, *, planner: Script = plans, evaluator: Script = stops, looker: Script | None = None
) -> Script:
    """Return a script in which each role has its own; a looker that nobody gave sees nothing."""
    parts = {"executor": executor, "planner": planner, "evaluator": evaluator, "looker": looker or sees()}
    return lambda asked: _placed(parts.get(asked.role, executor)(asked), asked)


def _placed(answer: Answer, asked: Asked) -> Answer:
    """Return an answer with the address of the run's own place for `@/`."""
    found = _PLACE.search(asked.text)
    return answer._replace(body=answer.body.replace(b"@/", found.group().encode())) if found else answer


def on_step(parts: Mapping[str, Script], otherwise: Script) -> Script:
    """Return an executor that has a script for steps whose words begin so."""

    def script(asked: Asked) -> Answer:
        begun = asked.question.partition("# Step\n")[2]
        return next((part for start, part in parts.items() if begun.startswith(start)), otherwise)(asked)

    return script


def all_adversaries() -> Iterator[Adversary]:
    """Yield every adversarial case there is; the first of about every twelfth scene of a module are not slow."""
    from adversaries import acting, checks, claims, garbage, injection, lists, looking, planting, recovering, secrets

    for module in (acting, claims, checks, garbage, injection, lists, looking, planting, recovering, secrets):
        made: Callable[[], Iterator[Adversary]] = module.adversaries
        counts: Counter[int] = Counter()
        cases = tuple(made())  # kept, so that no two scenes have an id in common
        for case in cases:
            counts[id(case.scene)] += 1
            yield case._replace(slow=counts[id(case.scene)] > MANY or len(counts) % 12 != 1)
