"""File names that harm nobody, whoever chose them. Pure."""

import re
import unicodedata

LONGEST_NAME = 100
_UNSAFE = re.compile(r"[^\w.-]+")


def clean_name(name: str) -> str:
    """Return a file name that is one part of a path, short, and says no more than it seems to; pure.

    The page chose it: folders, control and direction marks, leading dots and device-like emptiness go.
    """
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    clean = _UNSAFE.sub("-", last).strip(".-_ ")
    stem, dot, ending = clean.rpartition(".")
    if dot and len(ending) <= 16:
        return f"{stem[: LONGEST_NAME - len(ending) - 1]}.{ending}"
    return clean[:LONGEST_NAME] or "download"
