"""Agent and skill files that a team has pushed to its fleet: releases of files, each kept as it was.

The bucket `DEFINITIONS` holds a file under the digest of its text, a release under the digest of its list of files, and
which release is the newest. Only that changes, so what a run has pinned stays as it was.
"""

from msgspec import Struct

NEWEST = "newest"
"""Key of the newest release's digest."""


class DefinitionFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An agent or skill file."""

    name: str
    """Its path below the folder of agents: `lead.yaml`, `skills/refunds/SKILL.md`."""
    text: str


class Release(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The files that a run pins together."""

    number: int
    """From 1."""
    files: dict[str, str]
    """Digests by name."""
    changed: tuple[str, ...] = ()
    """Names of files that are new, other than in the release before, or gone."""
    previous: str = ""
    """Digest of the release before."""
    at: float = 0.0
    """Unix seconds."""
    by: str = ""
    note: str = ""


class NewestRelease(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which release runs pin that are opened from now on."""

    digest: str


def file_key(digest: str) -> str:
    """Return the key of a file."""
    return f"file.{digest}"


def release_key(digest: str) -> str:
    """Return the key of a release."""
    return f"release.{digest}"
