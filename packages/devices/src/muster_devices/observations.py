"""Questions to a device about its screen, which change nothing, and their answers."""

from typing import Generic, Literal, TypeVar

from msgspec import Struct

from muster_devices.actions import Target
from muster_devices.screen import Element, Place, Unchosen
from muster_protocol.narrowing import Relation
from muster_protocol.tool_calls import Box, Obstacle

S = TypeVar("S")

Use = Literal["click", "type", "select", "check", "upload", "value", "read", "drop"]
"""What is wanted of an element; decides which of several of a name is meant."""


class Wait(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How long to wait inside the device before the answer. All times are seconds."""

    settle: float = 0.0
    """Wait until the screen has settled, this long at most."""
    since: int = -1
    change: float = 0.0
    """Wait until the screen is newer than version `since`, this long at most."""
    patient: float = 0.0
    """How long after the last action its outstanding requests are waited for, though the screen has settled."""


class QuestionFor(Struct, Generic[S], frozen=True, kw_only=True, omit_defaults=True):
    """A question that is answered by `S`."""


class FindElements(QuestionFor["ElementsSeen"], frozen=True, kw_only=True, omit_defaults=True, tag="find_elements"):
    """Ask which elements a target may mean."""

    target: Target
    use: Use = "read"
    explain: bool = False
    """Also say what is there instead, and what covers it."""
    attribute: str = ""
    """Name of an attribute that is wanted of what is found."""
    most: int = 12
    """How many of the elements are told of."""


class ReadText(QuestionFor["TextSeen"], frozen=True, kw_only=True, omit_defaults=True, tag="read_text"):
    """Read the text on the screen, or in a named part of it."""

    text: str = ""
    """Looked for beside: see `TextSeen.sources`."""
    within: tuple[Relation, ...] = ()
    bearers: bool = False
    """Also tell what has the text for a name without showing it."""
    placed: tuple[str, ...] = ()
    """Texts whose boxes on the screen are wanted as well."""


class ReadPlace(QuestionFor["PlaceSeen"], frozen=True, kw_only=True, omit_defaults=True, tag="read_place"):
    """Ask where the device is."""


class ReadValue(QuestionFor["ValuesSeen"], frozen=True, kw_only=True, omit_defaults=True, tag="read_value"):
    """Ask for the value that a label names: a field's, a table cell's, or the text beside it."""

    name: str
    within: tuple[Relation, ...] = ()
    column: bool = False
    """Read only the cells below this column head, and no other element of that name."""
    in_part: bool = False
    """What the value contains is asked for: a part of the page that is called so counts, whatever else it holds."""
    every_way: bool = False
    """Return what each way of finding a value finds, not only the first that finds any."""


class ReadPoint(QuestionFor["PointSeen"], frozen=True, kw_only=True, omit_defaults=True, tag="read_point"):
    """Ask what one would use at a point of the screen, in the pixels of boxes."""

    x: float
    y: float


Question = FindElements | ReadText | ReadPlace | ReadValue | ReadPoint


class ElementsSeen(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="elements_seen"):
    """The elements that a target may mean, the most likely only."""

    version: int
    place: Place
    strategy: str = ""
    """How they were found, as in `Done.strategy`."""
    rank: tuple[int, ...] | None = None
    """Lower is more likely; its first two numbers are 1 behind an open dialog, and where hidden. None: no match."""
    matches: tuple[Element, ...] = ()
    """The first of them, in reading order."""
    total: int = 0
    more: bool = False
    """Whether the screen says that there are more of them than it holds now, as a long list does."""
    unknown_part: bool = False
    """There is nothing by the name of a relation's anchor."""
    unsure_part: tuple[Element, ...] = ()
    """What bears that name all the same, and may be what is meant, for all that the page says."""
    unclear_part: tuple[Element, ...] = ()
    """What may be meant by a relation that gives no name ("the table"), if that is several."""
    cover: Obstacle | None = None
    """What lies over the only match."""
    near: tuple[tuple[str, str], ...] = ()
    """Role and name of what is there instead."""
    any_kind: tuple[Element, ...] = ()
    """What bears the name, but cannot be used so; to who reads only what may be of the kind for all the page says."""
    looks: int = 0
    """How many groups the matches are of, where their look alone makes them so; 0: the page says what they are."""
    blank: int = 0
    """How many of the matches are rows or items that show nothing."""

    @property
    def shown(self) -> tuple[Element, ...]:
        """The matches that can be seen."""
        return tuple(element for element in self.matches if not element.hidden)


class PlacedText(Struct, frozen=True, kw_only=True):
    """Where a text is drawn."""

    number: int
    """Which text it is, from 0."""
    box: Box


class TextSeen(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="text_seen"):
    """What can be read."""

    version: int
    place: Place
    lines: tuple[str, ...] = ()
    cut: bool = False
    """Whether there are more lines than these."""
    sources: tuple[str, ...] = ()
    """Of the text that is looked for: each smallest element that has it, as the product spells it."""
    unseen: tuple[str, ...] = ()
    """Of the text that is looked for: what is among the lines, but transparent, cut off or out of reach."""
    curtailed: tuple[str, ...] = ()
    """Of the text that is looked for: what shows a part of it alone, as before an ellipsis, or is hardly told from what
    is behind it; in the lines, too."""
    typed: tuple[str, ...] = ()
    """What fields still hold of what this run typed and handed over since, by Enter or a button; in the lines, too."""
    doubtful: tuple[str, ...] = ()
    """Where the text that is looked for may stand, for all that is known: `a picture into which it was written`."""
    undrawn: tuple[str, ...] = ()
    """What may have it, and draws only a part of itself."""
    bearers: tuple[str, ...] = ()
    """Icons, pictures and fields that are called by the text that is looked for, as in `button "Delete"`."""
    passing: tuple[str, ...] = ()
    """Messages that were shown since the last action began, and may be gone by now."""
    sorts: tuple[str, ...] = ()
    """What the messages with the text that is looked for call themselves: `error`, `warning`, `success`, or nothing."""
    untold: tuple[PlacedText, ...] = ()
    """Where `sources` are, in pixels of the document, if only a picture tells whether one can read any of them."""
    places: tuple[PlacedText, ...] = ()
    """Of `ReadText.placed`, as far as it is known where they are drawn."""
    aside: tuple[int, ...] = ()
    """Numbers of those that stand in another column than the next one: neither is above the other."""
    near: tuple[tuple[str, str], ...] = ()
    unknown_part: bool = False
    unsure_part: tuple[Element, ...] = ()
    unclear_part: tuple[Element, ...] = ()


class PlaceSeen(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="place_seen"):
    """Where the device is."""

    version: int
    place: Place


class NamedValue(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value, and how it is known to belong to the label."""

    value: str
    spelled: str = ""
    """The same as the document spells it, where it is drawn in other capitals; empty: as it is drawn."""
    how: Literal["field", "element", "definition", "cell", "before it", "next to it", "after it", "text"]
    secret: bool = False
    pale: bool = False
    """It is a field whose text has too little contrast to be read."""
    unchosen: Unchosen = ""
    box: Box | None = None


class ValuesSeen(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="values_seen"):
    """All values that a label may mean; nothing is chosen among them."""

    version: int
    place: Place
    values: tuple[NamedValue, ...] = ()
    near: tuple[tuple[str, str], ...] = ()
    unknown_part: bool = False
    unsure_part: tuple[Element, ...] = ()
    unclear_part: tuple[Element, ...] = ()


class PointSeen(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="point_seen"):
    """What is at a point."""

    version: int
    place: Place
    element: Element | None = None
    """What one would use there, with its ref if it has one; None: no element that the device knows."""
    drawn: Box | None = None
    """Where no element is known: the box of what draws a picture there, such as a canvas, so that one can point at it.
    """


Seen = ElementsSeen | TextSeen | PlaceSeen | ValuesSeen | PointSeen
