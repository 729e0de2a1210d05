"""Translates names of keys and chords from what people write to what devices expect. Pure."""

import re

KEYS = {
    "return": "Enter",
    "esc": "Escape",
    "spacebar": "Space",
    "space bar": "Space",
    "del": "Delete",
    "page up": "PageUp",
    "page down": "PageDown",
    **{
        name.lower(): name
        for name in (
            "Enter",
            "Escape",
            "Tab",
            "Space",
            "Backspace",
            "Delete",
            "Insert",
            "Home",
            "End",
            "PageUp",
            "PageDown",
        )
    },
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
    **{
        words.format(way): f"Arrow{way.capitalize()}"
        for way in ("up", "down", "left", "right")
        for words in ("arrow {}", "{} arrow", "arrow{}", "arrow-{}")
    },
}
MODIFIERS = {
    "ctrl": "Control",
    "control": "Control",
    "shift": "Shift",
    "alt": "Alt",
    "option": "Alt",
    "cmd": "Meta",
    "command": "Meta",
    "meta": "Meta",
    "win": "Meta",
    "windows": "Meta",
}
_SHORT = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "strg": "Control"}
"""Short forms that models use; in a sentence these words mean something else."""


def is_chord(text: str) -> bool:
    """Return whether a text names a key that is pressed while others are held, as `Control+a` does."""
    *held, last = re.split(r"\s*\+\s*", text.lower())
    return bool(held) and MODIFIERS.keys() >= set(held) and (len(last) == 1 or last in KEYS)


def key_name(key: str) -> str:
    """Return the browser's name of a key or chord: `ctrl + A` is `Control+a`, `esc` is `Escape`."""
    if len(key) == 1:
        return {" ": "Space"}.get(key, key)
    plus = re.sub(r"(?i)\b(ctrl|control|alt|shift|cmd|meta)-", r"\1+", key.strip())
    parts = [_key(part) for part in re.split(r"\s*\+\s*", plus) if part]
    # an upper-case letter would add Shift to the chord
    chord = len(parts) > 1 and "Shift" not in parts
    return "+".join(part.lower() if chord and len(part) == 1 else part for part in parts)


def _key(part: str) -> str:
    word = part.lower().removesuffix(" key")
    return KEYS.get(word) or MODIFIERS.get(word) or _SHORT.get(word) or part
