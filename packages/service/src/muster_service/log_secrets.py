"""Hides secret values in all log lines of this process."""

from collections.abc import Iterable

from structlog.typing import EventDict

from muster_text.redaction import Redactor

_known = Redactor()


def hide_in_logs(values: Iterable[str]) -> None:
    """Mask these values in all later log lines of this process, in every encoding that the redactor knows."""
    global _known  # noqa: PLW0603 - logging is process-wide, too
    _known = _known.knowing(value for value in values if value)


def mask_text(text: str) -> str:
    """Return a text with the hidden values masked."""
    return _known.mask(text)


def mask_event(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Mask the hidden values in a log line, but not in the names of its fields; a structlog processor."""
    return {name: _known.masked(value) for name, value in event.items()} if _known else event
