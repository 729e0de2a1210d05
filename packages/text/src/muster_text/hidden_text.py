"""Invisible characters: they hide instructions from people who read a text, but not from models. Pure."""

import re
from unicodedata import category

_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e0fff]")
"""Changes of direction, halves of characters, tags, and selectors of variants beyond those of fonts and emoji."""
_KEPT = frozenset("\n\t")
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def drop_hidden(text: str) -> str:
    """Return a text without the characters that can carry words which nobody sees, or turn round those that follow."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def show_hidden(text: str) -> str:
    """Return a text in which each character that nobody sees stands as its number, such as `<U+200B>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<U+{ord(it):04X}>" if _is_unseen(it) else it for it in text)


def _is_unseen(character: str) -> bool:
    return bool(_HIDDEN.match(character)) or (character not in _KEPT and category(character) in _UNSEEN)
