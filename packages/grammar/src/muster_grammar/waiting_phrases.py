"""Phrases that make an action of an expectation: waiting for it, and verifying it on the way."""

from msgspec.structs import replace

from muster_grammar.engine import Calls, Phrase, action, call
from muster_protocol.tool_calls import ToolCall

LONGEST_PAUSE = 120
"""Seconds; the tool waits no longer."""


def _wait(calls: Calls) -> Calls:
    """Wait for texts with the tool for it; checks of anything else wait by themselves."""
    return tuple(_as_wait(check) or check for check in calls)


def _wait_within(calls: Calls, seconds: float) -> Calls:
    """A check that is no wait for a text waits itself, if it is told how long."""
    return tuple(_as_wait(check, seconds) or waiting(check, seconds) for check in calls) if seconds else ()


def _wait_up_to(seconds: float, calls: Calls) -> Calls:
    return _wait_within(calls, seconds)


def _as_wait(check: ToolCall, seconds: float = 0) -> ToolCall | None:
    """Return the wait for the text of a check, or None when a wait cannot say as much as the check does."""
    limit = {"seconds": seconds} if seconds else {}
    match check.arguments:
        case {"text": str(text), **more} if check.tool == "check_text" and not more:
            return call("wait_for", text=text, **limit)
        case {"text": str(text), "absent": True, **more} if check.tool == "check_text" and not more:
            return call("wait_for", gone=text, **limit)
        case _:
            return None


def waiting(check: ToolCall, seconds: float) -> ToolCall:
    """Return a check that may wait this long until it holds."""
    return replace(check, arguments={**check.arguments, "up_to_seconds": seconds})


def _wait_settled() -> Calls:
    return (call("wait_for", settled=True),)


def _verify(calls: Calls) -> Calls:
    return calls


def _pause(seconds: float) -> Calls:
    return (call("wait_for", seconds=seconds),) if 0 < seconds <= LONGEST_PAUSE else ()


WAITING: tuple[Phrase, ...] = (
    action(
        "Wait {seconds}",
        "Wait for {seconds}",
        "Wait about {seconds}",
        "Wait (for) another/further {seconds}",
        "Wait (for) {seconds} for the page to load/open/reload/settle",
        build=_pause,
        description=f"Pauses, {LONGEST_PAUSE} seconds at most; better wait for what must be visible or gone.",
        examples=("Wait 3 seconds", "Wait for one minute"),
    ),
    action(
        "Wait until {condition}",
        build=_wait,
        description="Waits until something is so.",
        examples=(
            'Wait until the text "Done" is visible',
            'Wait for "Done"',
            'Wait for "Loading" to disappear',
            'Wait until the "Save" button is enabled',
        ),
    ),
    action(
        "Wait up to {seconds} for/until {condition}",
        "Wait (for) {seconds} until {condition}",
        "Wait for {seconds} for {condition}",
        build=_wait_up_to,
        description="Waits this long at most until something is so.",
        examples=('Wait up to 30 seconds for "Done"', 'Wait up to two minutes until "Loading" has disappeared'),
    ),
    action(
        "Wait until {condition} for up to {seconds}",
        "Wait until {condition} within {seconds}",
        build=_wait_within,
        description="Waits this long at most until something is so.",
        examples=(
            'Wait for the text "Done" for up to 30 seconds',
            'Wait until the "Save" button is enabled within 20 seconds',
        ),
    ),
    action(
        "Wait for the page to load/finish",
        "Wait for the page to be loaded",
        "Wait for the page to finish loading",
        "Wait for the page to load completely/fully",
        "Wait for the page is loaded",
        "Wait for (loading) spinner/loader/skeleton is not visible",
        "Wait for (loading) spinner/loader/skeleton to is not visible",
        "Wait for loading to finish/complete",
        "Wait for loading is finished/complete/completed/done",
        build=_wait_settled,
        description="Waits until the page is loaded and idle; every action already does so.",
        examples=("Wait for the page to load",),
    ),
    action(
        "Verify/Check/Confirm/Expect {expectation}",
        build=_verify,
        description="Checks something between two actions.",
        examples=('Verify that the page title is "Cart"', 'Check that "A" is visible', "Make sure the exit code is 0"),
    ),
)
