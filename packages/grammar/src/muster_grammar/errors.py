"""Error messages about sentences, for their author."""

from collections.abc import Callable
from functools import cached_property

from muster_protocol.errors import MusterError

_ADVICE = "Put texts and names in quotes; `muster phrases` lists all phrases."


class PhraseError(MusterError):
    """A sentence cannot be turned into tool calls."""

    def __init__(self, sentence: str, message: str) -> None:
        self.sentence = sentence
        super().__init__(message)


class UnknownPhrase(PhraseError):
    """No phrase fits a sentence, or a part of it; `closest` are the patterns most like it, the best first.

    They are looked for when somebody asks: most of these errors are never shown, because another reading fits.
    `hint` says what to do about a usual mistake; empty if it is none.
    """

    def __init__(self, sentence: str, hint: str = "", find_closest: Callable[[], tuple[str, ...]] = tuple) -> None:
        self.hint = hint
        self._find_closest = find_closest
        super().__init__(sentence, f"no phrase fits «{sentence.strip()}». {hint or _ADVICE}")

    @cached_property
    def closest(self) -> tuple[str, ...]:
        """The patterns of the phrases that are most like the sentence."""
        return self._find_closest()

    def __str__(self) -> str:
        like = f" The closest: {'; '.join(self.closest)}." if self.closest else ""
        return f"{super().__str__()}{like}"


class TooLong(PhraseError):
    """A sentence is longer than any that is read."""

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(sentence, f"«{sentence.strip()[:80]}…» is too long: {why}")


class AmbiguousPhrase(PhraseError):
    """A sentence can mean several things; `readings` says each of them with its tool calls."""

    def __init__(self, sentence: str, readings: tuple[str, ...]) -> None:
        self.readings = readings
        advice = 'Say which kind of thing it is (`the "X" button`, `the key X`, `the browser tab "X"`), or reword.'
        if any(reading.startswith(("check_state(", "check_text(")) for reading in readings):
            advice = 'Without quotes it is a state (`"A" is empty`); a text is shown (`"A" shows "empty"`).'
        super().__init__(sentence, f"«{sentence.strip()}» can mean {' or '.join(readings)}. {advice}")
