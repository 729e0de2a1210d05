"""A clean audit counts only of a page that stood still meanwhile and shows something."""

from typing import Any

import pytest

from muster_devices.observations import PlaceSeen
from muster_devices.screen import Place, Record
from muster_subagent.tools.page_health_checks import TRIES, audited

BROKEN = Record(at=1.0, method="label", text="label: Form elements must have labels")


class Page:
    """A page that is audited: what each audit finds, and the version and emptiness that each look in turn shows."""

    def __init__(self, audits: list[tuple[Record, ...]], looks: list[tuple[int, bool]]) -> None:
        self.audits, self._looks, self.made = audits, looks, 0

    async def feed(self, name: str) -> tuple[Record, ...]:
        self.made += 1
        return self.audits[min(self.made, len(self.audits)) - 1]

    async def look(self, *_: object) -> PlaceSeen:
        version, empty = self._looks[min(self.made, len(self._looks) - 1)]
        return PlaceSeen(version=version, place=Place(address="http://app.test/", empty=empty))


@pytest.mark.parametrize(
    ("audits", "looks", "broken", "made"),
    [
        ([()], [(1, False)], False, 1),
        ([(), (BROKEN,)], [(1, True), (1, True), (2, False)], True, 3),
        ([(), (BROKEN,)], [(1, False), (2, False)], True, 3),
        ([(BROKEN,), ()], [(1, False)], False, 2),
        ([(BROKEN,)], [(1, False)], True, 2),
        ([()], [(1, False), (2, False), (3, False), (4, False)], False, TRIES),
    ],
    ids=["stands", "empty at first", "drawn meanwhile", "faded in", "broken", "never stands"],
)
async def test_an_audit_is_made_again_until_it_counts(
    audits: list[tuple[Record, ...]], looks: list[tuple[int, bool]], broken: bool, made: int
) -> None:
    page: Any = Page(audits, looks)
    found, _ = await audited(page, "label")
    assert (bool(found), page.made) == (broken, made)
