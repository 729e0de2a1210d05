"""Length limits of sentences, which bound the time to parse one. Pure."""

import re

LONGEST_SENTENCE = 2_000
"""Characters of an action, of a precondition, or of one line of an expectation."""
LONGEST_EXPECTATION = 10_000
"""Characters of all its lines."""

_BLOCK = re.compile(r":[ \t]*\n")


def action_excess(text: str) -> str:
    """Return why an action or precondition is too long, without the block of text below it; empty if it is not."""
    return _excess(len(_BLOCK.split(text, maxsplit=1)[0]), LONGEST_SENTENCE, "it")


def expectation_excess(text: str) -> str:
    """Return why an expectation is too long; empty if it is not."""
    longest = max((len(line) for line in text.splitlines()), default=0)
    return _excess(longest, LONGEST_SENTENCE, "a line of it") or _excess(len(text), LONGEST_EXPECTATION, "it")


def _excess(size: int, most: int, what: str) -> str:
    if size <= most:
        return ""
    return f"{what} has {size:,} characters, the limit is {most:,}; put long texts into variables, ${{name}}"
