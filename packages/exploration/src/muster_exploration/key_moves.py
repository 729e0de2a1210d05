"""What can be done on a screen with the keys of a remote control: each key is a move, whatever has the focus. Pure."""

from collections.abc import Sequence

from muster_exploration.possible_moves import Possible
from muster_exploration.risky_words import risk_in
from muster_exploration.screen_shape import CONTROLS, Part
from muster_protocol.explorations import Move

OPENING = frozenset({"Enter", "Space", "Select", "OK"})
"""Keys that do what the element with the focus is for."""


def key_moves(parts: Sequence[Part], keys: Sequence[str], allow: Sequence[str] = ()) -> Possible:
    """Return a move for each key, but for those that would open something destructive.

    Where nothing tells what has the focus, any control may have it.
    """
    focused = [part for part in parts if part.focused]
    meant = focused or [part for part in parts if part.role in CONTROLS]
    risks = [f"{part.role} “{part.name}”: {word!r}" for part in meant if (word := risk_in(part.name, allow))]
    closed = [key for key in keys if key in OPENING] if risks else []
    why = f"{', '.join(risks)} may destroy, spend, send or end something"
    moves = (Move(do="press", role="key", name=key) for key in keys if key not in closed)
    return Possible(tuple(moves), tuple(f"key {key}: {why}" for key in closed), ())
