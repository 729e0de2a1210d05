"""Error messages about sentences, for their author."""

from muster_protocol.errors import MusterError


class PhraseError(MusterError):
    """A sentence cannot be turned into tool calls."""

    def __init__(self, sentence: str, message: str) -> None:
        self.sentence = sentence
        super().__init__(message)


class UnknownPhrase(PhraseError):
    """No phrase fits a sentence, or a part of it; `closest` are the patterns most like it, the best first.

    `hint` says what to do about a usual mistake; empty if it is none.
    """

    def __init__(self, sentence: str, closest: tuple[str, ...], hint: str = "") -> None:
        self.closest, self.hint = closest, hint
        like = f" The closest: {'; '.join(closest)}." if closest else ""
        advice = hint or "Put texts and names in quotes; `muster phrases` lists all phrases."
        super().__init__(sentence, f"no phrase fits «{sentence.strip()}». {advice}{like}")


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
