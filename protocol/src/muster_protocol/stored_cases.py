"""Cases that a fleet keeps, and their versions.

The bucket `CASES` holds a row for each stored case under `case.<id>`, and each version's file under `file.<digest>`. A
file never changes, so what a run has pinned stays as it was.
"""

from typing import Literal

from msgspec import Struct

CaseFormat = Literal["yaml", "gherkin", "markdown"]
CASE_LABEL = "case"
"""Label of the runs of a stored case: its id."""
DIGEST_LABEL = "case_digest"
"""Label of these runs: the beginning of the digest of the version that they run."""
SHOWN_DIGITS = 12
"""Digits of a digest that people see; enough to tell the versions of a case apart."""
ROWS, FILES = "case.", "file."
"""How keys begin."""


class CaseFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A version of a stored case as it was written; its digest names it."""

    name: str
    """Name of the file, such as `TC_AUTH_01.yaml`; its ending says how the text is read."""
    text: str
    suite: str = ""
    """The suite of cases that do not name one themselves."""


class CaseOutline(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lists show of a case in a file."""

    name: str
    suite: str = ""
    tags: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    """Requirements that it tests."""


class CaseVersion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One version of a stored case."""

    number: int
    """From 1."""
    digest: str
    at: float = 0.0
    """Unix seconds."""
    by: str = ""
    note: str = ""


class StoredCase(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stored case: the file of its newest version, what is in it, and its versions."""

    id: str
    """One subject token, such as `TC_AUTH_01`: the name of its file without the ending."""
    file: str
    cases: tuple[CaseOutline, ...]
    """A file may hold several; to run it is to run them all."""
    versions: tuple[CaseVersion, ...]
    """The newest ones, oldest first; at least one."""

    @property
    def newest(self) -> CaseVersion:
        """The version that is run unless another is asked for."""
        return self.versions[-1]
