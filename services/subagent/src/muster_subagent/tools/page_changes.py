"""Describes what an action changed. Pure."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from muster_devices.actions import Done
from muster_protocol.tool_calls import Consequence
from muster_text.text_match import listed, quote, squash

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
MOST_TEXTS, TEXT_LENGTH = 8, 80


def changes_in_words(done: Done) -> str:
    """Return what changed, as sentences."""
    said = [_place(done), *_news(done), *_notes(done)]
    return " ".join(sentence for sentence in said if sentence)


def _place(done: Done) -> str:
    place = done.place
    if done.closed:
        return f"The tab closed; the current one is {quote(place.title)} at {place.address}."
    if done.window:
        return f"A new tab opened and is the current one: {quote(done.window)} at {place.address}."
    if place.address != done.before or done.changes is None:
        return f"The page is now {quote(place.title)} at {place.address}."
    return f"The title is now {quote(place.title)}." if done.changes.title else ""


def _news(done: Done) -> list[str]:
    changes = done.changes
    if changes is None or done.window or done.closed:
        return [_new("It shows", done.alerts or done.headings)]
    if done.downloads and not done.files:
        return [_new("A download began, which is not kept unless the step says `Download …`:", done.downloads)]
    if not done.changed:
        return ["Nothing on the page was seen to change."]
    told = changes.dialogs or changes.alerts
    lines = [line for line in changes.lines if not any(line in text for text in told)]
    return [
        _new("A dialog opened:", [text[:120] for text in changes.dialogs]),
        "A dialog closed." if changes.closed else "",
        _new("Alert:", changes.alerts),
        _new("New on the page:", lines),
        _new("No longer there:", changes.gone if not lines else ()),
        "What is shown stands in another order." if changes.reordered else "",
        "The browser asks for a file, which `Upload …` hands over." if changes.files else "",
    ]


def _notes(done: Done) -> list[str]:
    waiting = f"Still loading: {listed(done.pending, 3)}." if done.pending else ""
    late = "It was done once and is not repeated; what it started took long." if done.late else ""
    broken = f"But that is: {done.place.problem}." if done.failure else ""
    return [waiting, late, broken]


def _new(lead: str, texts: Sequence[str]) -> str:
    return f"{lead} {listed(texts, 5)}." if texts else ""


def consequence_of(done: Done) -> Consequence:
    """Return what an action did as a recording keeps it: without numbers, which differ from day to day."""
    changes = done.changes
    moved = changes is None or bool(done.window) or done.closed or done.place.address != done.before
    news = (*done.headings, *done.alerts) if changes is None else (*changes.alerts, *changes.headings, *changes.lines)
    texts = dict.fromkeys(without_numbers(text)[:TEXT_LENGTH] for text in news if text)
    return Consequence(
        path=path_of(done.place.address),
        moved=moved,
        dialog=done.dialog is not None,
        closed=changes is not None and changes.closed,
        texts=tuple(texts)[:MOST_TEXTS],
        opening=tuple(without_numbers(text)[:TEXT_LENGTH] for text in done.opening) if changes is None else (),
    )


def path_of(address: str) -> str:
    """Return the path of an address without numbers; what stands behind `?` and `#` is data."""
    return without_numbers(urlsplit(address).path) if "://" in address else ""


def without_numbers(text: str) -> str:
    """Return a text with each number as `#`."""
    return _NUMBER.sub("#", squash(text))
