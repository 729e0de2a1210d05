"""Numbers as words, and in digits."""

import re

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

NUMBERS = {word: number for number, word in enumerate(_NUMBERS.split())}
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), start=1)}


THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
"""A number of things whose digits are in groups: "3,681 items"."""


def whole(word: str) -> tuple[int, ...]:
    """Return the number of things that a word tells, in digits or as a word up to twelve; nothing if it tells none."""
    digits = word.replace(",", "") if THOUSANDS.fullmatch(word) else word
    return (int(digits),) if digits.isdecimal() else tuple(NUMBERS[one] for one in (word,) if one in NUMBERS)


def ordinal(word: str) -> int:
    """Return the place in line that a word tells, from 1 as in "second" or "2nd"; -1 for the last, 0 for none."""
    if word in ("last", "final", "bottommost", "undermost", "lowermost"):
        return -1
    if word in ("topmost", "uppermost"):
        return 1
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else ""
    return ORDINALS.get(word, int(digits) if digits.isdecimal() and len(digits) < 5 else 0)


def end_of_list(word: str, noun: str) -> int:
    """Return 1 for the "top" row or item, -1 for the "bottom" one, 0 for anything else."""
    return {"top": 1, "bottom": -1}.get(word, 0) if noun in ("row", "item", "entry", "listitem") else 0
