"""How much of what testers wrote does the grammar read, how much does it read wrongly, and are its rewritings right?

`sentences/` holds single steps of published test cases. Whoever changes the grammar reads all files but `later.jsonl`,
from which figures come: steps of other projects, labelled by hand. Look at its totals alone.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from call_meanings import is_meant
from meanings import Clause

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.rewritings import rewritten
from muster_protocol.tool_calls import ToolCall

FOLDER = Path(__file__).parent / "sentences"
TUNED = ("dev", "held_out", "unseen", "fresh")
"""Files that whoever changes the grammar reads."""
GOALS = {"actions": 85.0, "expectations": 70.0, "misread": 0.5, "rewritten": 60.0}
"""Percent: of what can be said, read at least; of all, misread at most; of the unread, rewritten rightly at least."""

Role = Literal["action", "expectation"]
Outcome = Literal["read", "misread", "refused", "accepted"]
"""As labelled; otherwise than labelled; not at all; somehow, where no label says what is right."""


class Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a published test case, and what it means."""

    id: str
    text: str
    role: Role
    source: str
    licence: str
    names_what_it_expects: bool | None = None
    """Whether it says what to do or see, or leaves it open ("an error message"); None without a label."""
    meaning: tuple[Clause, ...] | None = None
    """None if it means nothing without knowing the product, or has no label."""

    @property
    def labelled(self) -> bool:
        """Whether a person has said what it means."""
        return self.names_what_it_expects is not None

    @property
    def sayable(self) -> bool:
        """Whether it should be read: it means the same to every tester, and names what it is about."""
        return bool(self.meaning and self.names_what_it_expects)


class Result(NamedTuple):
    """What the grammar made of a sentence."""

    sentence: Sentence
    outcome: Outcome
    calls: tuple[ToolCall, ...] = ()
    error: str = ""
    instead: str = ""
    """The sentence in other words, as proposed; empty if nothing is."""
    rewritten_rightly: bool = False


def load(name: str) -> tuple[Sentence, ...]:
    """Return the sentences of one of the files: "dev", "held_out", "unseen", "fresh" or "later"."""
    lines = (FOLDER / f"{name}.jsonl").read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=Sentence) for line in lines)


def judge(sentence: Sentence) -> Result:
    """Read a sentence and compare what was read with its label; what means nothing by itself must be refused."""
    try:
        calls = parse(sentence.role, sentence.text)
    except PhraseError as error:
        instead = rewritten(sentence.text, sentence.role, lambda text: parse(sentence.role, text))
        return Result(sentence, "refused", (), str(error), instead, _is_right(sentence, instead))
    if not sentence.labelled:
        return Result(sentence, "accepted", calls)
    return Result(sentence, "read" if is_meant(sentence.meaning or (), calls) else "misread", calls)


def parse(role: Role, text: str) -> tuple[ToolCall, ...]:
    """Return the calls that a sentence stands for.

    Raises:
        PhraseError: the grammar does not know it, or not what it means.
    """
    return parse_action(text) if role == "action" else parse_expectation(text)


def _is_right(sentence: Sentence, instead: str) -> bool:
    """Return whether a rewriting means what the sentence does."""
    return bool(instead and sentence.meaning) and is_meant(sentence.meaning or (), parse(sentence.role, instead))


class Tally(NamedTuple):
    """Figures of some sentences."""

    name: str
    results: Sequence[Result]

    @property
    def misread(self) -> float:
        """Percent of all sentences."""
        return percent(self._count(lambda result: result.outcome == "misread"), len(self.results))

    def read(self, role: Role) -> float:
        """Percent of the sentences of a role that can be said."""
        some = [result for result in self.results if result.sentence.role == role and result.sentence.sayable]
        return percent(sum(result.outcome == "read" for result in some), len(some))

    @property
    def rewritten(self) -> float:
        """Percent of the sentences that can be said and are refused."""
        refused = self._count(_is_unread)
        return percent(self._count(lambda result: _is_unread(result) and result.rewritten_rightly), refused)

    def row(self) -> str:
        """Return one line of the table."""
        sayable = self._count(lambda result: result.sentence.sayable)
        read = self._count(lambda result: result.outcome in {"read", "accepted"} and result.sentence.sayable)
        wrong = self._count(lambda result: result.outcome == "misread")
        refused = self._count(_is_unread)
        return (
            f"{self.name:<52} {len(self.results):>5} {sayable:>8} {read:>5} {percent(read, sayable):>6.1f} "
            f"{wrong:>8} {refused:>8}"
        )

    def _count(self, holds: Callable[[Result], bool]) -> int:
        return sum(map(holds, self.results))


def _is_unread(result: Result) -> bool:
    return result.outcome == "refused" and result.sentence.sayable


def percent(part: int, whole: int) -> float:
    """Return a share in percent, 0 of nothing."""
    return 100 * part / whole if whole else 0.0


def table(results: Sequence[Result], *, by_source: bool) -> str:
    """Return the figures by role, and by source if asked for."""
    rows = [Tally("all", results)]
    rows += [
        Tally(f"{role}s", [one for one in results if one.sentence.role == role]) for role in ("action", "expectation")
    ]
    sources = sorted({one.sentence.source for one in results}) if by_source else []
    rows += [Tally(source, [one for one in results if one.sentence.source == source]) for source in sources]
    head = f"{'':<52} {'steps':>5} {'sayable':>8} {'read':>5} {'%':>6} {'misread':>8} {'unread':>8}"
    return "\n".join([head, *(row.row() for row in rows)])


def shown(results: Iterable[Result], outcome: Outcome) -> str:
    """Return the sentences with an outcome, and why; of the refused those that should be read."""
    lines: list[str] = []
    for result in results:
        if result.outcome == outcome and (
            outcome == "misread" or result.sentence.sayable or not result.sentence.labelled
        ):
            what = result.error or "; ".join(f"{call.tool} {call.arguments}" for call in result.calls)
            instead = f"\n     instead: {result.instead}" if result.instead else ""
            lines.append(f"{result.sentence.role[0]}  {result.sentence.text}\n     {what}{instead}")
    return "\n".join(lines)


def verdict(results: Sequence[Result]) -> tuple[str, bool]:
    """Return each goal with its figure, and whether all are met."""
    tally = Tally("", results)
    figures = (
        ("actions read", tally.read("action"), GOALS["actions"], True),
        ("expectations read that name what they expect", tally.read("expectation"), GOALS["expectations"], True),
        ("misread", tally.misread, GOALS["misread"], False),
        ("unread ones rewritten rightly", tally.rewritten, GOALS["rewritten"], True),
    )
    met = [figure >= goal if least else figure <= goal for _, figure, goal, least in figures]
    lines = [
        f"{'met   ' if well else 'missed'}  {name}: {figure:.1f} %, at {'least' if least else 'most'} {goal:g} %"
        for (name, figure, goal, least), well in zip(figures, met, strict=True)
    ]
    return "\n".join(lines), all(met)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by-source", action="store_true", help="add a line for each source")
    parser.add_argument("--show", choices=("misread", "unread"), help="list such sentences, and why")
    parser.add_argument("--of", choices=TUNED, default="dev", help="list those of this file (default: %(default)s)")
    options = parser.parse_args()
    if options.show:
        listed = [judge(sentence) for sentence in load(options.of)]
        print(shown(listed, "misread" if options.show == "misread" else "refused"))
        return 0
    dev, *tuned, later = ([judge(sentence) for sentence in load(name)] for name in (*TUNED, "later"))
    accepted = sum(result.outcome != "refused" for result in dev)
    print(f"dev: {accepted} of {len(dev)} accepted ({percent(accepted, len(dev)):.1f} %)")
    for name, results in zip(TUNED[1:], tuned, strict=True):
        print(f"\n{name}, tuned to since\n{table(results, by_source=options.by_source)}\n\n{verdict(results)[0]}")
    said, met = verdict(later)
    print(f"\nlater\n{table(later, by_source=options.by_source)}\n\n{said}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
