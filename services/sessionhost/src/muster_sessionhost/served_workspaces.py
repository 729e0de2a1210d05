"""The folders and git revisions that a session host serves by name, so that no request ever holds a path.

WORKSPACES=shop=/srv/shop,shop-main=/srv/shop@main
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from muster_service.settings import SettingsError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")


class Served(NamedTuple):
    """What sessions get a copy of."""

    name: str
    folder: Path
    revision: str = ""
    """Of a git repository; empty: the folder as it stands."""


def served_workspaces(setting: str) -> Mapping[str, Served]:
    """Return what the setting WORKSPACES names.

    Raises:
        SettingsError: an entry cannot be read, names a folder that is not there, or a name stands twice.
    """
    found: dict[str, Served] = {}
    for entry in filter(None, map(str.strip, setting.split(","))):
        served = _entry(entry)
        if served.name in found:
            raise _wrong(f"the name {served.name!r} is given twice")
        found[served.name] = served
    return found


def _entry(entry: str) -> Served:
    name, mark, place = (part.strip() for part in entry.partition("="))
    if not mark or not NAME.fullmatch(name) or not place:
        raise _wrong(f"{entry!r} is not NAME=FOLDER or NAME=FOLDER@REVISION; names have letters, digits, - and _")
    folder, revision = Path(place), ""
    if not folder.is_dir() and "@" in place:
        before, _, revision = place.rpartition("@")
        folder = Path(before)
    if not folder.is_dir():
        raise _wrong(f"{name}: there is no folder {folder}")
    if revision.startswith("-"):
        raise _wrong(f"{name}: {revision!r} is not a revision")
    return Served(name, folder.resolve(), revision)


def _wrong(what: str) -> SettingsError:
    return SettingsError(f"environment variable `WORKSPACES`: {what}")
