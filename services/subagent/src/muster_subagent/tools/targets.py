"""The parameters with which a tool is told the element it is to use."""

from typing import Annotated

from msgspec import Meta

from muster_devices.actions import Target
from muster_devices.observations import within
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
    str, Meta(description="Text naming the row, list item, card, section, form or dialog it is in"), Argument.PLACE
]
Ref = Annotated[str, Meta(description="Its ref in the last snapshot, such as e12; wins over the rest"), Argument.REF]


def target_of(element: str, role: str = "", place: str = "", ref: str = "") -> Target:
    """Return the target that a tool's arguments name."""
    return Target(name=element, role=role, ref=ref, relation=within(place))
