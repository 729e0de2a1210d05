"""The page source of a native app: XML from the phone as a tree, each node with the path that finds it again. Pure."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element as XmlElement
from xml.etree.ElementTree import ParseError, XMLParser

LARGEST = 20_000_000
"""Characters of a source."""
_WRAPPER = "AppiumAUT"
"""A node that Appium puts around what some drivers tell; their paths do not know it."""
DEEPEST = 200
"""Levels of it that are read."""


class SourceUnreadable(Exception):
    """A page source is no XML, or too large; the text says which."""


class Node(NamedTuple):
    """One node of a source."""

    tag: str
    attributes: Mapping[str, str]
    path: str
    """XPath from the root, with places: `/hierarchy/android.widget.FrameLayout[1]`."""
    children: tuple["Node", ...] = ()

    def get(self, name: str) -> str:
        """Return an attribute; empty if there is none."""
        return self.attributes.get(name, "")

    def says(self, name: str) -> bool:
        """Return whether an attribute is `true`."""
        return self.get(name) == "true"

    def walk(self) -> Iterator["Node"]:
        """Return the node and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse_source(text: str) -> Node:
    """Return the root of a source.

    Raises:
        SourceUnreadable: it cannot be read.
    """
    if len(text) > LARGEST:
        raise SourceUnreadable(f"the source of the screen has more than {LARGEST:,} characters")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # neither driver writes one; entities could grow without limit
        raise SourceUnreadable("the source of the screen declares entities")
    parser = XMLParser()
    try:
        parser.feed(text)
        root = parser.close()
    except ParseError as error:
        raise SourceUnreadable(f"the source of the screen is not XML: {error}") from error
    return _node(root, "/" if root.tag == _WRAPPER else f"/{root.tag}", 0)


def _node(element: XmlElement, path: str, depth: int) -> Node:
    counts: dict[str, int] = {}
    children: list[Node] = []
    for child in element if depth < DEEPEST else ():
        counts[child.tag] = counts.get(child.tag, 0) + 1
        children.append(_node(child, f"{path}/{child.tag}[{counts[child.tag]}]", depth + 1))
    return Node(element.tag, dict(element.attrib), path, tuple(children))


def quoted(text: str) -> str:
    """Return a text as a literal of XPath."""
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    parts = ", '\"', ".join(f'"{part}"' for part in text.split('"'))
    return f"concat({parts})"


def path_of(node: Node, *told: str) -> str:
    """Return the path that finds a node as long as the attributes `told` are what they are now."""
    held = ((name, node.get(name)) for name in told)
    wanted = " and ".join(f"@{name}={quoted(value)}" for name, value in held if value and value.isprintable())
    return f"{node.path}[{wanted}]" if wanted else node.path
