"""Phrases for phones: apps, turning the device, swiping, pulling a list down."""

from collections.abc import Callable, Sequence
from typing import Literal

from muster_grammar.engine import Calls, Parameter, Phrase, action, call
from muster_grammar.target_parser import Target
from muster_grammar.tokens import Words


def _is_app(some: Words) -> Sequence[str]:
    """Return the word for an app; patterns take it for the word for a page."""
    return tuple(token.text for token in some if token.text.lower() in ("app", "application"))


PHONE_PARAMETERS = {"app": Parameter("page", _is_app, "the app under test: `the app`, `the application`")}


def _app(to: Literal["open", "close", "background", "clear"]) -> Callable[[str], Calls]:
    return lambda _app: (call("use_app", to=to),)


def _named_app(to: Literal["open", "close"]) -> Callable[[str, str], Calls]:
    return lambda _app, name: (call("use_app", to=to, app=name),)


def _restart(_app: str) -> Calls:
    return (call("use_app", to="close"), call("use_app", to="open"))


def _notifications() -> Calls:
    return (call("use_app", to="notifications"),)


def _rotate(to: Literal["portrait", "landscape"]) -> Callable[[], Calls]:
    return lambda: (call("rotate", to=to),)


def _swipe(direction: str) -> Callable[[], Calls]:
    return lambda: (call("swipe", direction=direction),)


def _swipe_over(direction: str) -> Callable[[Target], Calls]:
    return lambda target: (call("swipe", direction=direction, **target.arguments()),)


PHONES: tuple[Phrase, ...] = (
    action(
        "Open the {app}",
        "Launch the {app}",
        "Start the {app}",
        build=_app("open"),
        description="Starts the app under test on a phone, or brings it back to the front.",
        examples=("Open the app", "Launch the app"),
    ),
    action(
        "Launch the {app} {text}",
        "Start the {app} {text}",
        build=_named_app("open"),
        description="The same for another app, which is named by its package or bundle id.",
        examples=('Launch the app "com.android.settings"',),
    ),
    action(
        "Close the {app}",
        "Quit the {app}",
        "Terminate the {app}",
        build=_app("close"),
        description="Ends the app under test.",
        examples=("Close the app",),
    ),
    action(
        "Close the {app} {text}",
        build=_named_app("close"),
        description="Ends another app, which is named by its package or bundle id.",
        examples=('Close the app "com.android.settings"',),
    ),
    action(
        "Restart the {app}",
        "Relaunch the {app}",
        build=_restart,
        description="Ends the app under test and starts it again; its stored data stays.",
        examples=("Restart the app",),
    ),
    action(
        "Put the {app} in/into/to the background",
        "Send the {app} in/into/to the background",
        "Move the {app} in/into/to the background",
        build=_app("background"),
        description="Shows the phone's home screen while the app keeps running; `Open the app` brings it back.",
        examples=("Put the app in the background",),
    ),
    action(
        "Reset the {app}",
        "Clear the data of the {app}",
        "Clear the {app} data",
        build=_app("clear"),
        description="Starts the app as if for the first time: its stored data is deleted.",
        examples=("Reset the app", "Clear the app data"),
    ),
    action(
        "Open the notification shade/drawer/panel/center",
        "Pull down the notification shade/drawer/panel",
        build=_notifications,
        description="Shows the phone's notifications, if its driver supports that; `Go back` leaves them.",
        examples=("Open the notification shade",),
    ),
    action(
        "Rotate the device/phone/screen to landscape (mode/orientation)",
        "Turn the device/phone/screen to landscape (mode/orientation)",
        "Rotate to landscape (mode/orientation)",
        build=_rotate("landscape"),
        description="Turns the phone on its side.",
        examples=("Rotate the phone to landscape",),
    ),
    action(
        "Rotate the device/phone/screen to portrait (mode/orientation)",
        "Turn the device/phone/screen to portrait (mode/orientation)",
        "Rotate to portrait (mode/orientation)",
        build=_rotate("portrait"),
        description="Turns the phone upright.",
        examples=("Rotate the phone to portrait",),
    ),
    action(
        "Swipe left",
        "Swipe to the left",
        build=_swipe("left"),
        description="Moves a finger over the screen to the left, on a device with a touch screen.",
        examples=("Swipe left",),
    ),
    action(
        "Swipe right",
        "Swipe to the right",
        build=_swipe("right"),
        description="Moves a finger over the screen to the right.",
        examples=("Swipe right",),
    ),
    action(
        "Swipe up",
        build=_swipe("up"),
        description="Moves a finger up over the screen; what is further down comes into view.",
        examples=("Swipe up",),
    ),
    action(
        "Swipe down",
        build=_swipe("down"),
        description="Moves a finger down over the screen; what is further up comes into view.",
        examples=("Swipe down",),
    ),
    action(
        "Swipe left on/over {target}",
        "Swipe {target} left",
        "Swipe {target} to the left",
        build=_swipe_over("left"),
        description="Moves a finger over an element to the left.",
        examples=('Swipe left on the "Backpack" row', 'Swipe "Backpack" to the left'),
    ),
    action(
        "Swipe right on/over {target}",
        "Swipe {target} right",
        "Swipe {target} to the right",
        build=_swipe_over("right"),
        description="Moves a finger over an element to the right.",
        examples=('Swipe right on the "Backpack" row',),
    ),
    action(
        "Swipe up on/over {target}",
        "Swipe {target} up",
        build=_swipe_over("up"),
        description="Moves a finger up over an element, such as a list in a part of the screen.",
        examples=('Swipe up on the "Products" list',),
    ),
    action(
        "Swipe down on/over {target}",
        "Swipe {target} down",
        build=_swipe_over("down"),
        description="Moves a finger down over an element.",
        examples=('Swipe down on the "Products" list',),
    ),
    action(
        "Pull to refresh",
        "Pull down to refresh",
        "Pull the list/screen down (to refresh)",
        build=_swipe("down"),
        description="Moves a finger down over the screen, by which apps load a list again.",
        examples=("Pull to refresh",),
    ),
)
