"""Numbers as words, and the keys of a keyboard. Data."""

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

NUMBERS = {word: number for number, word in enumerate(_NUMBERS.split())}
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), start=1)}

KEYS = {
    "enter": "Enter",
    "return": "Enter",
    "esc": "Escape",
    "escape": "Escape",
    "tab": "Tab",
    "space": "Space",
    "spacebar": "Space",
    "space bar": "Space",
    "backspace": "Backspace",
    "delete": "Delete",
    "del": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "page up": "PageUp",
    "pageup": "PageUp",
    "page down": "PageDown",
    "pagedown": "PageDown",
    "f10": "F10",
    "f11": "F11",
    "f12": "F12",
    **{f"f{number}": f"F{number}" for number in range(1, 10)},
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
