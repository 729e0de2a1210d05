"""What a device that lists its elements answers to a question about its screen. Pure."""

from muster_devices.element_search import element_at, search
from muster_devices.observations import (
    FindElements,
    PlaceSeen,
    PointSeen,
    Question,
    ReadPlace,
    ReadPoint,
    ReadText,
    ReadValue,
    Seen,
)
from muster_devices.screen import Screen
from muster_devices.screen_text import read_text, read_value


def answer_of(screen: Screen, question: Question) -> Seen:
    """Return the answer that a screen gives to a question."""
    match question:
        case FindElements():
            return search(screen, question)
        case ReadText():
            return read_text(screen, question)
        case ReadPlace():
            return PlaceSeen(version=screen.version, place=screen.place)
        case ReadValue():
            return read_value(screen, question)
        case ReadPoint():
            found = element_at(screen, question.x, question.y)
            return PointSeen(version=screen.version, place=screen.place, element=found)
