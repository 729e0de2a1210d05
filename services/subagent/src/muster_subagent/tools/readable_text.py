"""HTML as text that is read from top to bottom: headings, paragraphs, lists, tables, links. Pure."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urljoin

from justhtml import JustHTML
from justhtml.dom import Element, Node, Text

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = re.compile(
    r"address|article|aside|blockquote|body|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|"
    r"hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul"
)
LEFT_OUT = ("head", "iframe", "noscript", "object", "script", "select", "style", "svg", "template", "textarea")
_UNSEEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


class Readable(NamedTuple):
    """A page as text; headings are lines that begin with `#`, one for each level."""

    title: str
    lines: tuple[str, ...]


def readable(html: str, url: str) -> Readable:
    """Return a page as text, without what it hides; links are followed by their addresses, made full with `url`."""
    # the parser takes quadratic time for a run of these; to a reader both are the same
    root = JustHTML(re.sub("<(?=<)", "&lt;", html), sanitize=False).root
    writer = _Writer(url)
    stack: list[tuple[Node | Text, bool]] = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            writer.leave(node)
        elif writer.enter(node):
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(list(node.children or ())))
    writer.flush()
    return Readable(writer.title, tuple(writer.lines))


@dataclass
class _Writer:
    """Is told of each node when it begins and when it ends, and writes lines."""

    url: str
    title: str = ""
    lines: list[str] = field(default_factory=list[str])
    line: list[str] = field(default_factory=list[str])
    prefix: str = ""
    lists: int = 0
    verbatim: int = 0

    def enter(self, node: Node | Text) -> bool:
        """Take note of a node; return whether to go on to its children."""
        if isinstance(node, Text):
            self._text(node.data or "")
            return False
        if not isinstance(node, Element):
            return node.name == "#document"
        if node.name in LEFT_OUT or _hidden(node):
            self.title = self.title or _title(node)
            return False
        self._begin(node)
        return True

    def _begin(self, node: Element) -> None:
        if BLOCKS.fullmatch(node.name) or node.name == "br":
            self.flush()
        if node.name in HEADINGS:
            self.prefix = "#" * int(node.name[1]) + " "
        elif node.name == "li":
            self.prefix = "  " * max(self.lists - 1, 0) + "- "
        elif node.name in ("td", "th") and self.line:
            self.line.append(" | ")
        elif node.name == "img" and (text := node.attrs.get("alt")):
            self.line.append(f"[{text}]")
        self.lists += node.name in ("ul", "ol")
        self.verbatim += node.name == "pre"

    def leave(self, node: Node | Text) -> None:
        """Take note of a node's end."""
        if not isinstance(node, Element):
            return
        if node.name == "a" and (address := _address(node, self.url)) and "".join(self.line).strip():
            self.line.append(f" ({address})")
        if BLOCKS.fullmatch(node.name):
            self.flush()
        self.lists -= node.name in ("ul", "ol")
        self.verbatim -= node.name == "pre"

    def _text(self, text: str) -> None:
        first, *more = text.split("\n") if self.verbatim else [text]
        self.line.append(first)
        for line in more:
            self.flush()
            self.line.append(line)

    def flush(self) -> None:
        """End the line that is being written, if there is anything on it."""
        written = "".join(self.line)
        text = written.rstrip() if self.verbatim else " ".join(written.split())
        self.line.clear()
        if text:
            self.lines.append(self.prefix + text)
            self.prefix = ""


def _hidden(node: Element) -> bool:
    attributes = node.attrs
    style = attributes.get("style") or ""
    return "hidden" in attributes or attributes.get("aria-hidden") == "true" or bool(_UNSEEN.search(style))


def _title(head: Element) -> str:
    for child in head.children if head.name == "head" else ():
        if child.name == "title":
            return " ".join("".join(text.data or "" for text in child.children if isinstance(text, Text)).split())
    return ""


def _address(link: Element, base: str) -> str:
    """Return where a link leads; empty if it stays on the page or leads to no other."""
    target = (link.attrs.get("href") or "").strip()
    try:
        full = urljoin(base, target)
    except ValueError:
        return ""
    return full if target[:1] not in ("", "#") and full.startswith(("http://", "https://")) else ""
