"""A sentence beside what a reading makes of it: what stands in it without quotes, and what a call names. Pure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from muster_grammar.tokens import LITERAL, SELECTOR, STRESSED, scan
from muster_grammar.vocabulary import split
from muster_protocol.narrowing import narrowing_of
from muster_protocol.tool_calls import ToolCall

DESCRIBING = split("valid invalid only any some wrong correct incorrect random different special empty blank")
"""What a text that is stressed begins with if it says what kind of text is meant."""


class Told(NamedTuple):
    """A sentence, and what a reading makes of it."""

    bare: str
    """The sentence with a quote in place of each literal."""
    quoted: tuple[str, ...]
    calls: Sequence[ToolCall]
    claim: bool
    stressed: tuple[str, ...] = ()
    """What stands in bold or italic letters, which may as well be emphasis."""

    def is_plain(self, name: str) -> bool:
        """Return whether the sentence has this text, and only outside quotes."""
        return bool(name) and all(name not in one for one in self.quoted) and name.casefold() in self.bare.casefold()


def told_of(text: str, calls: tuple[ToolCall, ...], *, claim: bool) -> Told:
    """Return a sentence with what was read of it."""
    tokens = scan(text)
    texts = [(token, token.key in (LITERAL, SELECTOR)) for token in tokens]
    bare = "".join(f"{token.before}{LITERAL if whole else token.raw}" for token, whole in texts)
    quoted = tuple(token.text for token, whole in texts if whole)
    return Told(" ".join(bare.split()), quoted, calls, claim, tuple(one.strip("*") for one in STRESSED.findall(text)))


def names_of(call: ToolCall) -> Iterator[str]:
    """Yield the names of what a call is about, and of what that is in or beside."""
    yield from (str(call.arguments[key]) for key in ("element", "to") if call.arguments.get(key))
    within = call.arguments.get("within")
    told = narrowing_of([str(one) for one in within] if isinstance(within, list) else str(within or ""))
    yield from (relation.anchor for relation in told.relations if relation.anchor)
