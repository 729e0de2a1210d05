"""Splits an expectation into clauses, the units that need evidence. Pure; worker and orchestrator must agree."""

import re
from collections.abc import Iterator

QUOTED = re.compile(
    r'"((?:[^"\\]|\\.)*)"|“([^”]*)”|‘([^’]*)’'
    r"|(?<!\w)'((?:[^'\\]|\\.|(?<=\w)'(?=(?:[dmstDMST]|ll|re|ve)\b))*)'(?!\w)|`([^`]*)`"
)
"""A literal in any common kind of quotes; the group that matched is the text.

An apostrophe as in "can't" or "it's" ends no text."""

SHORTENED = r"\b(?:(?:Dr|Mr|Mrs|Ms|Prof|St|Mt|Jr|Sr)\.(?=\s+[^\W\d_a-z])|(?:No|Nr|Art|Fig|Vol)\.(?=\s*\d))"
"""A shortened word whose full stop ends no sentence, before the name or the number that it belongs to."""
_SHORTENED = re.compile(SHORTENED)

_JOINT = re.compile(
    r"\s*(?:,\s*(?:and|und)|;\s*and|,(?!\s+(?:dass|daß|ob)\b)|;|\.|\b(?:and|und|sowie)\b)\s+", re.IGNORECASE
)
_BETWEEN = re.compile(r"\bbetween\s+\S+$", re.IGNORECASE)
"""What comes before an "and" that joins two ends of a range."""
_LONGEST_END = 200
"""Characters of a range's first end."""
_HOLDING = re.compile(
    r"\b(?:row|item|entry|record|card|tile|panel|section|dialog|popup|modal|toast|message|notification"
    r"|zeile|eintrag|karte)\s+"
    r"(?:with|mit|containing|that (?:contains|has|shows)|which (?:contains|has|shows))\s+(?:the\s+)?(?:texts?\s+)?"
    rf"(?:{QUOTED.pattern})(?:(?:\s*,\s*(?:(?:and|und)\s+)?|\s+(?:and|und)\s+)(?:{QUOTED.pattern}))+",
    re.IGNORECASE,
)
"""What one thing is told by: `a row with "Ada" and "Admin"` is about one row that has both."""
_PLACED = re.compile(
    r"\b(?:in|on|of|for|from|inside|within|beside|next to|below|above|im|auf|aus|von|bei)\s+"
    r"(?:(?:the|an?|this|that|each|every|der|die|dem|den|einer|einem)\s+)?$",
    re.IGNORECASE,
)
"""What comes before a thing that a claim names as a place."""
_VERB = re.compile(
    r"\s+(?:is|are|was|were|has|have|had|does|do|did|should|must|will|can|cannot|may|isn't|aren't|shows?|contains?|reads?"
    r"|says?|(?:dis)?appears?|starts?|ends?|match(?:es)?|equals?|becomes?|remains?|stays?|exists?"
    r"|ist|sind|wird|werden|hat|haben|soll|sollte|muss|enthält|zeigt|erscheint)\b",
    re.IGNORECASE,
)
"""What makes the text before it the subject of a claim."""
_ORDER = re.compile(r"\bin (?:this|that|the given|exactly this) order$", re.IGNORECASE)
"""What may follow the last of several literals that make one statement."""
_IDLE = re.compile(
    r"^(?:also|again|still|already)\s+(?=[\"'“‘`])|(?<=[\"'”’`])\s+(?:again|now|still|already|once more)$",
    re.IGNORECASE,
)
"""Words before or behind a literal that say nothing of it: `the tabs are "A" and "B" again` is about both."""
_DIRECTION = re.compile(r"\w+est first|(?:in )?(?:ascending|descending)(?: order)?", re.IGNORECASE)
"""What may follow a comma and only says which way things are sorted."""
_BULLETS = re.compile(r"^(?:[-•]|\*(?![*\w])|\s)+")
_STUCK = tuple(" \t,;.")
"""First characters of a joint that follow a word without a blank."""
_LEADING_AND = re.compile(r"^(?:and|then)\s+", re.IGNORECASE)
_ENDING = re.compile(r"[\s.;,]+$")


def literals(text: str) -> tuple[str, ...]:
    """Return the quoted literals in the text, unquoted, in order."""
    return tuple(
        _unescape(next(group for group in match.groups() if group is not None)) for match in QUOTED.finditer(text)
    )


def split_clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of an expectation: its parts between "and", comma, semicolon, full stop or line end.

    Quoted literals are never split, but end with their line. A part that is only a literal continues the part before
    it: `The page shows "A" and "B"` is one clause with two literals. So does the direction in "by date, newest first".
    """
    clauses: list[str] = []
    for line in text.splitlines():
        for part in _split_line(_BULLETS.sub("", line.strip())):
            if clauses and (_is_only_literals(part[1]) or (part[0][:1] == "," and _DIRECTION.fullmatch(part[1]))):
                clauses[-1] += (part[0] if part[0][:1] in _STUCK else f" {part[0]}") + part[1]
            elif part[1]:
                clauses.append(part[1])
    return tuple(clauses)


def _told_together(line: str) -> Iterator[tuple[int, int]]:
    """Yield where things are told by several texts. Of a place, the last text may be what the next claim is about."""
    for match in _HOLDING.finditer(line):
        start, end = match.span()
        texts = [text.end() + start for text in QUOTED.finditer(match[0])]
        if _VERB.match(line, end) and _is_place_of_claim(line[:start]):
            del texts[-1]
        if len(texts) > 1:
            yield start, texts[-1]


def _is_place_of_claim(before: str) -> bool:
    """Return whether a claim has its verb, and what follows its words is where that holds; or whether it begins so:
    `In the row with "Ada", "Admin" is shown` says where "Admin" is."""
    *_, last = _JOINT.split(QUOTED.sub('""', before))
    if _PLACED.fullmatch(last.strip() + " "):
        return True
    return _PLACED.search(last) is not None and _VERB.search(last) is not None


def _split_line(line: str) -> list[tuple[str, str]]:
    """Return (joint, part) pairs; the joint is the separator before the part, verbatim."""
    spans = [match.span() for pattern in (QUOTED, _SHORTENED) for match in pattern.finditer(line)]
    spans = sorted([*spans, *_told_together(line)])
    parts: list[tuple[str, str]] = []
    start, joint, passed = 0, "", 0
    for match in _JOINT.finditer(line):
        while passed < len(spans) and spans[passed][1] <= match.start():
            passed += 1
        inside = passed < len(spans) and spans[passed][0] < match.end() - 1
        if inside or _BETWEEN.search(line, max(start, match.start() - _LONGEST_END), match.start()):
            continue
        parts.append((joint, line[start : match.start()]))
        start, joint = match.end(), match.group()
    parts.append((joint, line[start:]))
    return [(joint, _ENDING.sub("", _LEADING_AND.sub("", part.strip()))) for joint, part in parts]


def _is_only_literals(part: str) -> bool:
    bare = QUOTED.sub("", _IDLE.sub("", part))
    return bool(part) and _ORDER.sub("", bare).strip() == "" and QUOTED.search(part) is not None


def _unescape(text: str) -> str:
    """Return the text with escaped quotes and backslashes unescaped; other backslashes stay."""
    return re.sub(r"\\([\"'\\])", r"\1", text)
