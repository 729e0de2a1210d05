"""Secret values that no log line of this process may show, whatever writes it."""

from collections.abc import Iterable

from structlog.typing import EventDict

from muster_text.redaction import Redactor

_known = Redactor()


def hide_in_logs(values: Iterable[str]) -> None:
    """Have these values blacked out in all later lines of this process, in every form they may have."""
    global _known  # noqa: PLW0603 - as process-wide as logging itself
    _known = _known.knowing(value for value in values if value)


def mask_text(text: str) -> str:
    """Return a text without the values."""
    return _known.mask(text)


def mask_event(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Return a line's fields without the values; for structlog's chain of processors."""
    return _known.masked(dict(event)) if _known else event
