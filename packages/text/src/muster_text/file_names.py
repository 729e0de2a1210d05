"""Safe file names from untrusted ones. Pure."""

import re
import unicodedata

LONGEST_NAME = 100
_UNSAFE = re.compile(r"[^\w.-]+")


def clean_name(name: str) -> str:
    """Return a safe, short file name without folders.

    Removes folders, control and text direction characters, and leading dots. An empty name becomes `download`.
    """
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    clean = _UNSAFE.sub("-", last).strip(".-_ ")
    stem, dot, ending = clean.rpartition(".")
    if dot and len(ending) <= 16:
        return f"{stem[: LONGEST_NAME - len(ending) - 1]}.{ending}"
    return clean[:LONGEST_NAME] or "download"
