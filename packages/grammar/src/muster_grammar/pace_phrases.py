"""Phrases for how long the product takes."""

from muster_grammar.engine import Calls, Phrase, call, expectation


def _took_less(seconds: float) -> Calls:
    return (call("check_pace", seconds=seconds),) if seconds else ()


PACES: tuple[Phrase, ...] = (
    expectation(
        "The last action took/takes less than {seconds}",
        "The last action took/takes no longer than {seconds}",
        "The page loads/loaded/opened in/inside/within/under (less than) {seconds}",
        "The page loads/loaded/opened in under {seconds}",
        "The page is loaded/opened in/inside/within/under (less than) {seconds}",
        build=_took_less,
        description="The page settled within this time after the step's last act. A busy machine proves nothing.",
        examples=("The last action took less than 5 seconds", "The page loads within 3 seconds"),
    ),
)
