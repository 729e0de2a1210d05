"""Which parts of a workspace the sandbox shows and makes writable: the path rules of the session's holder.

Binds hold for whatever runs in the sandbox: shells, interpreters, git and its hooks, and through links.
"""

from pathlib import Path, PurePosixPath

from muster_protocol.sessions import PathRules

REPOSITORY = ".git"


class BindRefused(Exception):
    """A path of the rules cannot be bound; says why."""


def workspace_binds(workspace: Path, rules: PathRules) -> tuple[str, ...]:
    """Return the arguments for bubblewrap. Folders that may be written and are not there yet are made.

    Raises:
        BindRefused: a path of the rules is a link, or leads through one.
    """
    top = str(workspace)
    if rules.write is None and rules.read is None:
        return ("--bind", top, top)
    binds = ["--ro-bind", top, top] if rules.read is None else ["--dir", top]
    for path in rules.read or ():
        binds += _bind("--ro-bind", _place(workspace, path, make=False))
    for path in (rules.read or ()) if rules.write is None else rules.write:
        binds += _bind("--bind", _place(workspace, path, make=True))
    if rules.read is None and rules.write != ():
        binds += _bind("--bind", _place(workspace, REPOSITORY, make=False))
    return tuple(binds)


def _bind(how: str, place: Path | None) -> tuple[str, ...]:
    return (how, str(place), str(place)) if place is not None else ()


def _place(workspace: Path, path: str, *, make: bool) -> Path | None:
    """Return where a path is; None if it is not there. A link would show a place outside, so none is followed.

    Raises:
        BindRefused: it is a link, or leads through one.
    """
    place = workspace
    parts = PurePosixPath(path).parts
    for index, part in enumerate(parts):
        place = place / part
        if place.is_symlink():
            raise BindRefused(
                f"{path!r} is or leads through a link ({'/'.join(parts[: index + 1])}): name where it leads"
            )
        if place.exists():
            continue
        if not make or (index == len(parts) - 1 and place.suffix):
            return None  # what looks like a file is made by nobody but its author
        place.mkdir()
    return place
