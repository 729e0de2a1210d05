"""The value that a label on the page names: a field's, a definition's, a table cell's, or the text after it."""

from msgspec import Struct
from playwright.async_api import Page

from muster_protocol.tool_calls import Box
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.page_survey import Look, everywhere


class Value(Struct, frozen=True):
    """A value, and how it is known to belong to the label."""

    value: str
    how: str
    secret: bool = False
    box: Box | None = None


class Named(Struct, frozen=True, rename="camel"):
    """All values that a label may mean; nothing is chosen among them."""

    version: int
    url: str
    unknown_part: bool
    near: tuple[tuple[str, str], ...]
    values: tuple[Value, ...]

    @property
    def distinct(self) -> tuple[Value, ...]:
        """The values without repetition."""
        return tuple({value.value: value for value in self.values}.values())


async def values_named(ctx: ToolContext, page: Page, element: str, within: str, look: Look) -> Named:
    """Return the values that a label names in any frame of the page."""
    question: dict[str, object] = {"element": element, "within": within}
    first, *rest = await everywhere(ctx, page, "valuesOf", question, look=look, answer=Named)
    whole = [first, *rest]
    return Named(
        version=first.version,
        url=first.url,
        unknown_part=all(one.unknown_part for one in whole),
        near=tuple(name for one in whole for name in one.near),
        values=tuple(value for one in whole for value in one.values),
    )
