"""The parts of an exported test before a language is chosen: names in snake case, texts with `${placeholders}`."""

from collections.abc import Mapping
from typing import NamedTuple


class Whole(NamedTuple):
    """A pattern: contains a text as it is written, without cutting a number."""

    text: str


class Phrase(NamedTuple):
    """A pattern: contains a text as it is written, without cutting a number or a word."""

    text: str


class Containing(NamedTuple):
    """A pattern: contains a text as it is written, anywhere or at the end of an address."""

    text: str
    at_end: bool = False


class FilePath(NamedTuple):
    """A file in the folder of the test."""

    path: str


class Called(NamedTuple):
    """A call in a chain, or one of its attributes (`first`, `last`) if it is `bare`."""

    name: str
    arguments: tuple["Value", ...] = ()
    options: Mapping[str, "Value"] = {}
    bare: bool = False


class Chain(NamedTuple):
    """An expression such as `page.get_by_role("button").click()`; without a root its first call is a helper's."""

    root: str
    calls: tuple[Called, ...] = ()

    def then(self, name: str, /, *arguments: "Value", **options: "Value") -> "Chain":
        """Return the chain with one call more."""
        return self._replace(calls=(*self.calls, Called(name, arguments, options)))

    def part(self, name: str) -> "Chain":
        """Return the chain with one attribute more."""
        return self._replace(calls=(*self.calls, Called(name, bare=True)))


class Finder(NamedTuple):
    """A function that finds an element in the page or frame that it is given."""

    chain: Chain


Value = str | int | float | bool | list[str] | list[FilePath] | Whole | Phrase | Containing | FilePath | Chain | Finder

PAGE = Chain("page")


def helper(name: str, /, *arguments: Value, **options: Value) -> Chain:
    """Return a call of a helper that the file brings along."""
    return Chain("", (Called(name, arguments, options),))


class Do(NamedTuple):
    """Do something."""

    chain: Chain
    acts: bool = True
    """Whether it may open a dialog or change the page."""


class Claim(NamedTuple):
    """Expect something of a locator or the page."""

    subject: Chain
    matcher: Called
    denied: bool = False


class Keep(NamedTuple):
    """Keep what an expression gives under a name."""

    name: str
    chain: Chain


class Download(NamedTuple):
    """Do something that starts a download, and save that."""

    chain: Chain
    path: FilePath


class Note(NamedTuple):
    """A comment: the written step."""

    text: str


class Unsaid(NamedTuple):
    """What cannot be said in a script: the test stops there, so that it never passes without it."""

    line: int
    """Of the source, from 1."""
    what: str
    why: str


Statement = Do | Claim | Keep | Download | Note | Unsaid


class Script(NamedTuple):
    """One case as a test."""

    name: str
    variables: Mapping[str, str | None]
    """Names and defaults; None: there is none."""
    secrets: tuple[str, ...]
    statements: tuple[Statement, ...]

    @property
    def unsaid(self) -> tuple[Unsaid, ...]:
        """What a person has to write."""
        return tuple(one for one in self.statements if isinstance(one, Unsaid))
