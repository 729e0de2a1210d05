"""Resolves the cases that a command names: files, folders, and names of stored cases."""

from collections.abc import Sequence
from pathlib import Path

from muster_authoring.own_cases import load_cases
from muster_bus import Bus
from muster_bus.case_store import CaseStore
from muster_cases.case_library import SUITE, choose, read_wanted
from muster_cases.case_loader import LoadedCase
from muster_protocol.errors import InvalidRequest
from muster_protocol.ids import is_token


def is_name(path: Path) -> bool:
    """Return whether an argument is the name of a stored case or suite: no such file, and the form of a name."""
    return not path.exists() and (is_token(str(path)) or str(path).startswith(SUITE))


async def load_selected(paths: Sequence[Path], bus: Bus) -> list[LoadedCase]:
    """Return the cases of files and folders, then stored ones, in the order in which they are named.

    Raises:
        InvalidRequest: one is not there, or something is wrong with it.
    """
    names, files = [str(path) for path in paths if is_name(path)], [path for path in paths if not is_name(path)]
    found = load_cases(files) if files else []
    if not names:
        return found
    store = CaseStore(bus)
    stored = await store.all()
    for name in names:
        for wanted in choose(stored, name):
            loaded = read_wanted(wanted, await store.file(wanted.version.digest))
            suite = name.removeprefix(SUITE)
            found += [case for case in loaded if not name.startswith(SUITE) or case.request.suite == suite]
    return found


def refuse_names(paths: Sequence[Path]) -> None:
    """Refuse names of stored cases where there is no fleet to ask.

    Raises:
        InvalidRequest: one is named.
    """
    if named := [str(path) for path in paths if is_name(path)]:
        there = "there is no such file or folder; a stored case of that name needs --nats URL, or"
        raise InvalidRequest([f"{name}: {there} `muster submit {name} --wait`" for name in named])
