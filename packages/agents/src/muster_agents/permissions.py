"""An agent's permissions, and the intersection of two of them. Pure.

    Permissions(paths=Paths(write=("tests",))) & Permissions(effects=("read", "check"))

None allows everything, an empty tuple nothing. What holds for an agent is the intersection of its file, its skills, its
parent and its caller, so nothing that is added to it can widen it.
"""

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import force_setattr

Names = tuple[str, ...] | None
"""What is allowed, by name; None: all there is."""
Overlap = Callable[[str, str], str | None]
"""Returns what two names both stand for, itself a name; None: nothing."""

WILDCARDS = "*?["


def covers(allowed: Names, name: str, overlap: Overlap | None = None) -> bool:
    """Return whether a name is allowed; a name of another form than expected is not."""
    if allowed is None:
        return True
    return any((overlap or same)(each, name) == name for each in allowed)


def both(one: Names, other: Names, overlap: Overlap | None = None) -> Names:
    """Return what two of the same kind both allow."""
    if one is None or other is None:
        return other if one is None else one
    pairs = ((overlap or same)(mine, yours) for mine in one for yours in other)
    return _reduced((name for name in pairs if name is not None), overlap or same)


def same(one: str, other: str) -> str | None:
    """Names without a structure stand for the same or for nothing in common."""
    return one if one == other else None


def path_overlap(one: str, other: str) -> str | None:
    """Of two paths the deeper one, if it lies in the other."""
    first, second = PurePosixPath(one), PurePosixPath(other)
    if first.is_relative_to(second):
        return one
    return other if second.is_relative_to(first) else None


def domain_overlap(one: str, other: str) -> str | None:
    """Of two hosts the deeper one, if it lies below the other, with the port that either names."""
    (first, port), (second, wanted) = _host_and_port(one), _host_and_port(other)
    if port and wanted and port != wanted:
        return None
    if first == second or first.endswith("." + second):
        host = first
    elif second.endswith("." + first):
        host = second
    else:
        return None
    return f"{host}:{port or wanted}" if port or wanted else host


def path_name(path: str) -> str:
    """Return a path in its normal form; the workspace itself is `.`.

    Raises:
        ValueError: it is absolute, leads outside, names the repository's own folder, or has a wildcard.
    """
    if not path or path.startswith("/") or "\0" in path or "\\" in path:
        raise ValueError(
            f"{path!r} is not a path inside a workspace: write it relative to the workspace, as in src/shop"
        )
    if found := next((mark for mark in WILDCARDS if mark in path), ""):
        raise ValueError(f"{path!r} has the wildcard {found!r}: name folders or files, each stands for all below it")
    parts = PurePosixPath(path).parts
    if ".." in parts:
        raise ValueError(f"{path!r} leads outside the workspace: leave out '..'")
    if ".git" in (part.casefold() for part in parts):
        raise ValueError(f"{path!r} is the repository's own folder: whoever may read all paths has it")
    return str(PurePosixPath(path))


def domain_name(domain: str) -> str:
    """Return a host in its normal form, without `*.`.

    Raises:
        ValueError: it is empty, an address with a scheme, or a path.
    """
    host = domain.strip().lower().removeprefix("*.").rstrip(".")
    if not host or "/" in host or any(mark in host for mark in WILDCARDS if mark != "["):
        raise ValueError(f"{domain!r} is not a host: write one as in shop.example or shop.example:8080")
    return host


def _host_and_port(domain: str) -> tuple[str, str]:
    host, colon, port = domain.rpartition(":")
    return (host, port) if colon and port.isdecimal() and (":" not in host or host.endswith("]")) else (domain, "")


def _normal(names: Names, form: Callable[[str], str] = str) -> Names:
    return None if names is None else tuple(sorted({form(name) for name in names}))


def _reduced(names: Iterable[str], overlap: Overlap) -> tuple[str, ...]:
    """Return names in order, without those that others stand for too."""
    distinct = sorted(set(names))
    return tuple(
        name for name in distinct if not any(other != name and overlap(name, other) == name for other in distinct)
    )


def _whole(paths: Names) -> Names:
    """The workspace itself stands for everything in it."""
    if paths is None or "." in paths:
        return None
    return _reduced(paths, path_overlap)


class Paths(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Folders and files of a workspace, each with all below it; nothing is written that may not be read.

    Raises:
        ValueError: a path is absolute, leads outside, names the repository's own folder, or has a wildcard.
    """

    read: Names = None
    write: Names = None

    def __post_init__(self) -> None:
        """Bring both into their normal form, in which equal permissions are equal."""
        read, write = _whole(_normal(self.read, path_name)), _whole(_normal(self.write, path_name))
        force_setattr(self, "read", read)
        force_setattr(self, "write", both(read, write, path_overlap))

    def __and__(self, other: "Paths") -> "Paths":
        """Return what both allow."""
        return Paths(read=both(self.read, other.read, path_overlap), write=both(self.write, other.write, path_overlap))


class Devices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kinds of device that may be looked at (`read`) and acted on (`control`); none is acted on blindly."""

    read: Names = None
    control: Names = None

    def __post_init__(self) -> None:
        """Bring both into their normal form."""
        read = _normal(self.read)
        force_setattr(self, "read", read)
        force_setattr(self, "control", both(read, _normal(self.control)))

    def __and__(self, other: "Devices") -> "Devices":
        """Return what both allow."""
        return Devices(read=both(self.read, other.read), control=both(self.control, other.control))


class Permissions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one sub-task may do; by default everything, so that a rule is what somebody has written down.

    Raises:
        ValueError: see `Paths`.
    """

    tools: Names = None
    """Names of tools; whoever knows the tools puts them in place of the names of groups."""
    effects: Names = None
    """Effects of calls: `read`, `check`, `idempotent`, `act`."""
    paths: Paths = Paths()
    domains: Names = None
    """Hosts, each with all below it, with or without a port."""
    devices: Devices = Devices()
    secrets: Names = None
    approvals: tuple[str, ...] = ()
    """Names of tools whose calls a person has to allow first; what is left of two has those of both."""

    def __post_init__(self) -> None:
        """Bring everything into its normal form."""
        force_setattr(self, "approvals", tuple(sorted(set(self.approvals))))
        force_setattr(self, "tools", _normal(self.tools))
        force_setattr(self, "effects", _normal(self.effects))
        force_setattr(self, "domains", _normal(self.domains, domain_name))
        force_setattr(self, "secrets", _normal(self.secrets))
        if self.domains is not None:
            force_setattr(self, "domains", _reduced(self.domains, domain_overlap))

    def __and__(self, other: "Permissions") -> "Permissions":
        """Return what both allow."""
        return Permissions(
            tools=both(self.tools, other.tools),
            effects=both(self.effects, other.effects),
            paths=self.paths & other.paths,
            domains=both(self.domains, other.domains, domain_overlap),
            devices=self.devices & other.devices,
            secrets=both(self.secrets, other.secrets),
            approvals=self.approvals + other.approvals,
        )

    def within(self, other: "Permissions") -> bool:
        """Return whether this allows nothing that the other does not."""
        return self & other == self


EVERYTHING = Permissions()


def intersection(permissions: Iterable[Permissions]) -> Permissions:
    """Return what all of them allow; of none, everything."""
    left = EVERYTHING
    for each in permissions:
        left &= each
    return left
