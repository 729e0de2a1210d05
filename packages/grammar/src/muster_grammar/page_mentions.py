"""The page that a sentence names in quotes, at its beginning or end: `Click "Save" on the "Users" page`. Pure.

Nothing is done or claimed on another page, so the page is checked, too.
"""

from collections.abc import Callable, Iterator

from muster_grammar.engine import Reading, call
from muster_grammar.tokens import LITERAL, Words
from muster_grammar.vocabulary import JOINT

_ON = frozenset(("on", "at", "in", "from"))
_PAGE = frozenset(("page", "screen", "webpage", "web page"))
_SIZE = 3
"""Words in such a mention: `on`, the name, `page`."""


def find_on_page(some: Words, find: Callable[[Words], tuple[Reading, ...]]) -> tuple[Reading, ...]:
    """Read a sentence that names its page: each reading checks the page first, then does what the rest says."""
    return tuple(
        Reading(reading.phrase, (call("check_page", name=name), *reading.calls))
        for name, rest in _split(some)
        for reading in find(rest)
    )


def _split(some: Words) -> Iterator[tuple[str, Words]]:
    """Yield the name of the page, and what is said beside it."""
    if len(some) <= _SIZE:
        return
    if _is_mention(some[-_SIZE:]):
        yield some[-2].text, some[:-_SIZE]
    if _is_mention(some[:_SIZE]):
        rest = some[_SIZE:]
        yield some[1].text, rest[1:] if rest[0].key == JOINT else rest


def _is_mention(some: Words) -> bool:
    before, name, kind = some
    return before.key in _ON and name.key == LITERAL and kind.text.lower() in _PAGE and name.text.strip() != ""
