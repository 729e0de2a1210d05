"""The parameters by which a tool call names its element."""

from typing import Annotated

from msgspec import Meta

from muster_devices.actions import Target
from muster_protocol.causes import Failure
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of
from muster_subagent.tools.tool import ToolError
from muster_subagent.tools.traits import Argument

Element = Annotated[
    str,
    Meta(description="What the page calls it: label, name, placeholder, visible text, alt text, title or test id"),
    Argument.ELEMENT,
]
Role = Annotated[
    str, Meta(description="ARIA role, such as button, link, textbox, checkbox, row, heading; empty: any"), Argument.KIND
]
Within = Annotated[
    str | list[str],
    Meta(
        description="Text naming the row, list item, card, section, form or dialog it is in; or several words on which "
        'one is meant: ["2nd", "in row \\"Ada\\"", "below heading \\"Profile\\""]'
    ),
    Argument.PLACE,
]
Ref = Annotated[str, Meta(description="Its ref in the last snapshot, such as e12; wins over the rest"), Argument.REF]


def target_of(element: str, role: str = "", place: str | list[str] = "", ref: str = "") -> Target:
    """Return the target that a tool's arguments name.

    Raises:
        ToolError: the place cannot be read.
    """
    narrowed = narrowing(place)
    return Target(
        name=element,
        role=role,
        ref=ref,
        ordinal=narrowed.ordinal,
        trait=narrowed.trait,
        exact=narrowed.exact,
        relations=narrowed.relations,
    )


def narrowing(place: str | list[str]) -> Narrowing:
    """Return what a tool's argument `within` says.

    Raises:
        ToolError: it says nothing of the kind.
    """
    try:
        return narrowing_of(place)
    except ValueError as error:
        raise ToolError(f"within: {error}", failure=Failure.INVALID_CALL) from error


def part(place: str | list[str]) -> tuple[Relation, ...]:
    """Return the part of the page that an argument names where no element is meant.

    Raises:
        ToolError: it says more than that.
    """
    narrowed = narrowing(place)
    if narrowed != Narrowing(relations=narrowed.relations):
        raise ToolError("within: only a part of the page can be named here", failure=Failure.INVALID_CALL)
    return narrowed.relations
