"""What a tester calls an element, and what the page says it has by that name. Pure."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box
from muster_subagent.tools.tool import ToolError

Kind = Literal["click", "type", "select", "check", "upload", "value", "read"]
"""What a tool wants to do with its target; decides which of several elements of a name it means."""

Element = Annotated[
    str, Meta(description="What the page calls it: label, name, placeholder, visible text, alt text, title or test id")
]
Role = Annotated[str, Meta(description="ARIA role, such as button, link, textbox, checkbox, row, heading; empty: any")]
Within = Annotated[str, Meta(description="Text naming the row, list item, card, section, form or dialog it is in")]
Ref = Annotated[str, Meta(description="Its ref in the last snapshot, such as e12; wins over the rest")]


class Target(Struct, frozen=True):
    """The element a tool is meant to use, in a tester's words."""

    element: str
    role: str = ""
    within: str = ""
    ref: str = ""

    def words(self) -> str:
        """Return it as in `button "Remove" in "Backpack"`."""
        name = f'"{self.element}"' if self.element else ""
        ref = f"[{self.ref}]" if self.ref else ""
        place = f'in "{self.within}"' if self.within else ""
        return " ".join(part for part in (self.role, name, ref, place) if part) or "the page"


class Query(Struct, frozen=True):
    """What the page's script is asked to find."""

    element: str
    role: str
    within: str
    kind: Kind


class States(Struct, frozen=True):
    """What an element is, each as people would say it."""

    enabled: bool
    readonly: bool
    editable: bool
    checked: bool
    selected: bool
    focused: bool
    required: bool
    empty: bool
    expanded: bool
    collapsed: bool


class Control(Struct, frozen=True):
    """An element as a person would describe it."""

    role: str
    tag: str
    type: str
    name: str
    place: str
    """What names the row, card or section it is in."""
    text: str
    value: str | None
    states: States
    hidden: bool
    secret: bool
    """A password field: its value is shown to nobody."""
    options: tuple[str, ...]
    box: Box | None = None

    @property
    def content(self) -> str:
        """What it holds: the value of a field, else its text."""
        return self.text if self.value is None else self.value

    def words(self) -> str:
        """Return role and name, as in `button "Login"`."""
        return f'{self.role or self.tag} "{self.name}"'


class Survey(Struct, frozen=True, rename="camel"):
    """What the page has that may be meant, the most likely only; `rank` is lower the more likely it is.

    Its numbers are: behind an open dialog, hidden, how exactly it is named, role, use, where the name stands.
    """

    version: int
    url: str
    title: str
    rank: tuple[int, ...] | None
    total: int
    unknown_part: bool
    matches: tuple[Control, ...]
    cover: str
    other: tuple[Control, ...]
    near: tuple[tuple[str, str], ...]
    any_kind: tuple[Control, ...]

    @property
    def shown(self) -> tuple[Control, ...]:
        """The matches that can be seen."""
        return tuple(control for control in self.matches if not control.hidden)


def query_of(target: Target, kind: Kind) -> Query:
    """Return what to ask the page for.

    Raises:
        ToolError: the target says nothing at all.
    """
    if not target.element.strip() and not target.role:
        text = "say which element: by the name the page gives it, by its role, or by a ref of the last snapshot"
        raise ToolError(text, failure=Failure.INVALID_CALL)
    role = target.role.lower()
    return Query(target.element, "img" if role == "image" else role, target.within, kind)


def best_of(surveys: list[Survey]) -> Survey:
    """Return what a whole page has, from what its frames have, the main frame's first."""
    main = surveys[0]
    known = [one for one in surveys if one.rank is not None]
    top = min((one.rank for one in known if one.rank is not None), default=None)
    same = [one for one in known if one.rank == top]
    return Survey(
        version=main.version,
        url=main.url,
        title=main.title,
        rank=top,
        total=sum(one.total for one in same),
        unknown_part=all(one.unknown_part for one in surveys),
        matches=tuple(control for one in same for control in one.matches),
        cover="".join(one.cover for one in same[:1]),
        other=tuple(control for one in surveys for control in one.other),
        near=tuple(name for one in surveys for name in one.near),
        any_kind=tuple(control for one in surveys for control in one.any_kind),
    )
