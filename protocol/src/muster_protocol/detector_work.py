"""Input and output of the element detector."""

from msgspec import Struct

from muster_protocol.tool_calls import Box, Touched


class PicturedElement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An element as a model sees it in a picture."""

    box: Box
    """In pixels of the picture, which are CSS pixels of the page."""
    confidence: float = 0.0
    """From 0 to 1, as the model says; a low one is refused, a high one proves nothing."""
    type: str = ""
    """Such as `button`."""
    text: str = ""
    """What is written on it."""
    attributes: dict[str, str] = {}
    """Such as its colour, by name."""

    def words(self) -> str:
        """Return it as in `button "Start" (colour green)`."""
        told = ", ".join(f"{name} {value}" for name, value in self.attributes.items())
        text = f' "{self.text}"' if self.text else ""
        return f"{self.type or 'element'}{text}{f' ({told})' if told else ''}"


class Located(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An element that was found in a picture, and what the device knows at the centre of its box."""

    seen: PicturedElement
    known: Touched | None = None
    """The element that the device knows there; None: none, as on a canvas, so that only coordinates lead there."""
    under: Box | None = None
    """Where that element is, or what draws the picture there: if it has moved since, the box says nothing any more."""


class LocateInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="locate"):
    """A step whose element was not found by name, and which has sent nothing."""

    action: str
    sought: str = ""
    """What was looked for in vain."""
    values: dict[str, str] = {}
    domains: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    """Names of the secrets of the case, which are blacked out in the picture."""


class LocateOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="locate"):
    """What was found: the next attempt at the step may act on it. It proves nothing."""

    located: Located | None = None
    """None: nothing that may be used."""
    why: str = ""
    """Why not."""
    alternatives: tuple[PicturedElement, ...] = ()
