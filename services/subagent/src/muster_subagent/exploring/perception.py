"""What a device shows, as the map knows it. Pure."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from muster_devices.domains import allowed, joined
from muster_devices.outline import depth, parsed
from muster_devices.screen import Place, Screen
from muster_exploration.abstraction import is_sequence
from muster_exploration.key_moves import key_moves
from muster_exploration.possible_moves import Possible, possible_moves
from muster_exploration.screen_shape import CONTROLS, Part, Shape, shape_of
from muster_protocol.explorations import Sighting
from muster_text.element_roles import FIELDS

_URL = re.compile(r"^- /url: (.+)$")
MOST_HEADINGS = 3
LONGEST = 200
"""Characters of titles and headings."""


class Perceived(NamedTuple):
    """A screen as it was seen."""

    place: Place
    parts: tuple[Part, ...]
    shape: Shape
    lines: tuple[str, ...]

    @property
    def alerts(self) -> tuple[str, ...]:
        """What the app says in passing."""
        said = (part.name or part.text for part in self.parts if part.role in ("alert", "status"))
        return tuple(text[:LONGEST] for text in said if text)


def perceived(screen: Screen, *, by_keys: bool = False) -> Perceived:
    """Return a screen with its identity; `by_keys`: what has the focus is part of that."""
    place = screen.place
    parts = _parts_of_lines(screen.lines, place.address) if screen.lines else _parts_of_elements(screen)
    if not by_keys:
        parts = tuple(part._replace(focused=False) for part in parts)
    return Perceived(place, parts, shape_of(parts, place.address, place.title), screen.lines)


def sighting_of(
    seen: Perceived, domains: Sequence[str], allow: Sequence[str], keys: Sequence[str]
) -> tuple[Sighting, Possible]:
    """Return a screen as a state, and what can be done on it: with these keys, or by tapping."""
    possible = possible_moves(seen.parts, lambda address: allowed(address, domains), allow)
    if keys:
        possible = key_moves(seen.parts, keys, allow)._replace(unnamed=possible.unnamed)
    links = [part.address for part in seen.parts if part.address]
    headings = [part.name or part.text for part in seen.parts if part.role == "heading"]
    sighting = Sighting(
        id=seen.shape.id,
        kin=seen.shape.kin,
        exact=seen.shape.exact,
        address=seen.place.address,
        title=seen.place.title[:LONGEST],
        headings=tuple(text[:LONGEST] for text in headings if text)[:MOST_HEADINGS],
        moves=possible.moves,
        left_out=possible.left_out,
        sequence=is_sequence(seen.place.address, links),
    )
    return sighting, possible


def is_outside(address: str, url: str, domains: Sequence[str]) -> bool:
    """Return whether an address is not of the app that begins at a URL; what is not a web address is the app's own."""
    here, home = urlsplit(address), urlsplit(url)
    if here.scheme not in ("http", "https") or home.scheme not in ("http", "https"):
        return False
    return here.netloc != home.netloc or not allowed(address, domains)


def _parts_of_lines(lines: Sequence[str], base: str) -> tuple[Part, ...]:
    """Return the parts of a tree in text; an address stands below its link."""
    parts: list[Part] = []
    levels: list[int] = []
    for line in lines:
        level, url = depth(line), _URL.match(line.strip())
        if url is not None:
            owner = next((i for i in range(len(parts) - 1, -1, -1) if levels[i] < level), -1)
            if owner >= 0:
                parts[owner] = parts[owner]._replace(address=joined(base, url.group(1).strip("\"'")))
            continue
        said = parsed(line)
        if said is None or said.role == "text":
            continue
        value = said.text if said.role in FIELDS else ""
        parts.append(
            Part(
                role=said.role,
                name=said.name or (said.text if said.role in CONTROLS - FIELDS else ""),
                level=level // 2,
                enabled="disabled" not in said.marks,
                value=value,
                checked="checked" in said.marks,
                text=said.text,
                focused="active" in said.marks,
            )
        )
        levels.append(level)
    return tuple(parts)


def _parts_of_elements(screen: Screen) -> tuple[Part, ...]:
    parts: list[Part] = []
    for element in screen.elements:
        if element.hidden:
            continue
        part = Part(
            role=element.role,
            name=element.name or (element.text if element.role in CONTROLS - FIELDS else ""),
            level=element.level,
            enabled=element.states.enabled,
            value=element.value or "",
            checked=element.states.checked,
            text=element.text,
            focused=element.states.focused,
        )
        parts.append(part)
        parts += [Part(role="option", name=option, level=element.level + 1) for option in element.options]
    return tuple(parts)
