"""Edits that replace a sentence that no phrase reads with one that a phrase reads. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from muster_authoring.case_check import Finding
from muster_authoring.document import Document
from muster_authoring.sentence_cursor import cursor_in
from muster_authoring.sentence_styles import styled


class Repair(NamedTuple):
    """A text to put where a finding is."""

    finding: Finding
    text: str


def repairs(document: Document, lines: Sequence[str], first: int, last: int) -> tuple[Repair, ...]:
    """Return the repairs for the findings in a range of lines (from 0, both included).

    Where the text is no longer what was read, there are none.
    """
    wrong = (one for one in document.findings if one.instead and one.line <= last + 1 and one.end_line > first)
    made = ((one, _written(document, one)) for one in wrong if _is_still(document, lines, one))
    return tuple(Repair(one, text) for one, text in made if text is not None)


def _is_still(document: Document, lines: Sequence[str], one: Finding) -> bool:
    return list(lines[one.line - 1 : one.end_line]) == list(document.lines[one.line - 1 : one.end_line])


def _written(document: Document, one: Finding) -> str | None:
    cursor = cursor_in(document.form, document.lines, one.line - 1, one.column - 1)
    if cursor is None:
        return None
    first = cursor.whole and cursor.begin == one.column - 1
    last = not document.lines[one.end_line - 1][one.end_column - 1 :].strip()
    return styled(one.instead, cursor.style, first=first, last=last)
