"""The history of a test over its runs, and the input and output of the analyzer."""

from msgspec import Struct

from muster_protocol.assignments import Found
from muster_protocol.logs import RunRow


class TestHistory(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row of the bucket `HISTORIES`: the newest ended runs of one test, so that nobody reads the list of all runs."""

    __test__ = False

    name: str
    suite: str = ""
    rows: tuple[RunRow, ...] = ()
    """In the order of their ends, with a short summary."""


class AnalyseInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="analyse"):
    """What a run that is over has left, as data: its verdict, its clauses with their evidence, its test's health."""

    material: dict[str, str] = {}
    """Texts by what they are."""


class AnalyseOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="analyse"):
    """What an analyzer says of a run: it can doubt a verdict, and changes none."""

    doubts: tuple[Found, ...] = ()
    """Each with a quote of the material."""
    left_out: int = 0
    """Doubts that are left out because their quotes stand nowhere."""
