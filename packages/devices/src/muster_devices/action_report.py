"""What an action did to a device that can only show its screen before and after, as `Done`. Pure."""

from dataclasses import dataclass

from msgspec.structs import replace

from muster_devices.actions import Action, Choose, Done, Enter, Toggle
from muster_devices.screen import Element, Screen
from muster_devices.screen_text import changes_between, texts_of
from muster_text.text_match import squash

_DOT = "•"
"""What a phone shows for each letter of a password."""


@dataclass(frozen=True)
class Begun:
    """An action and what the device was before it."""

    screen: Screen
    shown: object = None
    """What tells the screen from another one; equal as long as the same one is shown."""
    action: Action | None = None
    """None: the app has opened a dialog by itself."""
    target: Element | None = None
    strategy: str = ""


def report(begun: Begun, screen: Screen, shown: object, pending: tuple[str, ...]) -> Done:
    """Return what came of an action, from the screen as it is now and what was still under way then."""
    fresh = shown != begun.shown
    ref = begun.target.ref if begun.target else ""
    done = Done(
        place=screen.place,
        before=begun.screen.place.address,
        target=next((one for one in screen.elements if ref and one.ref == ref), None),
        touched=begun.target,
        changes=None if fresh else changes_between(begun.screen, screen, begun.target),
        headings=texts_of(screen, ("heading",)),
        alerts=texts_of(screen, ("alert", "status")),
        pending=pending,
        late=bool(pending),
        failure=screen.place.failure,
        strategy=begun.strategy,
    )
    return replace(done, confirmed=_confirmed(begun.action, done) and done.failure is None)


def _confirmed(action: Action | None, done: Done) -> bool:
    """Return whether the effect was seen: the field holds the text, the toggle is as wanted, something changed."""
    held = squash(done.target.content) if done.target else ""
    match action:
        case Enter(how="append"):
            return done.changed
        case Enter(text=text) if done.target is not None and set(done.target.content) == {_DOT}:
            return done.target.secret and len(done.target.content) == len(text)
        case Enter(text=text) if done.target is not None:
            return held == squash(text)
        case Choose(options=options) if done.target is not None:
            return held.lower() == squash(options[0]).lower()
        case Toggle(on=on) if done.target is not None:
            return done.target.states.checked == on
        case _:
            return done.changed
