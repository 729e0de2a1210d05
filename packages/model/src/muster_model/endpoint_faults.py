"""Words the faults of a model's endpoint: what it answered, whom to blame, and which setting to look at. Pure."""

import json
import re
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from time import time
from typing import cast

import httpx2
import openai

from muster_model.model_errors import ContextFull, ModelError, ModelUnusable
from muster_model.settings import Endpoint
from muster_protocol.codec import with_whole_characters

_ASKED_AGAIN = frozenset({400, 408, 409, 422, 425, 429})
"""Statuses of refusals that depend on the moment or on the question; any other 4xx is refused again."""
_LONGEST_WAIT = 120.0
"""Seconds of `Retry-After` that the library honours; it does not ask again where more is wanted."""
_TOO_LONG = re.compile(
    r"context.*(length|exceed|maximum|too long|size)|(length|exceed|maximum|too long|size).*context"
    r"|(prompt|input)( \w+){0,3} too long",
    re.DOTALL,
)
_TITLE = re.compile(r"<(title|h1)\b[^>]{0,200}>([^<]{1,300})<", re.IGNORECASE)
_SHORTEST_KEY = 8
"""Characters of the shortest key that is masked: a local server may take any short word for a key."""
_LONGEST = 300
"""Characters of a server's words that a message repeats."""


def explain(error: Exception, model: str, where: Endpoint, seconds: float) -> ModelError:
    """Return the error to raise for an error of the client library; `seconds` is the time that a request had."""
    match error:
        case openai.APIStatusError():
            return _explain_status(error, model, where)
        case openai.APITimeoutError():
            return ModelError(f"model {model!r} did not answer within {seconds:g} s (MODEL_TIMEOUT_SECONDS)")
        case openai.APIConnectionError():
            return _explain_connection(error.__cause__, where)
        case json.JSONDecodeError():
            return ModelError(f"{where.address} does not answer with JSON: check that {where.url_setting} is right")
        case _:
            return ModelError(f"the answer of {where.address} is not valid: {_short(str(error), where)}")


def words_of(body: object, where: Endpoint) -> str:
    """Return what an answer that is no reply says, in one line: an error's message, or the title of a web page."""
    if isinstance(body, dict):
        error = cast("dict[str, object]", body)
        return words_of(error.get("message") or error.get("error") or json.dumps(body), where)
    if isinstance(body, str) and body.lstrip().startswith("<"):
        title = _TITLE.search(body)
        return f"a web page{f' “{_short(title[2], where)}”' if title else ''}"
    return _short(str(body), where) if body else ""


def _explain_status(error: openai.APIStatusError, model: str, where: Endpoint) -> ModelError:
    code, words = error.status_code, words_of(error.body, where)
    answer = f"HTTP {code}{f': {words}' if words else ''}"
    said = f"{where.address} answers {answer}"
    match error:
        case openai.AuthenticationError():
            return ModelUnusable(f"{where.address} refuses the key: set {where.key_setting} ({answer})")
        case openai.PermissionDeniedError():
            return ModelUnusable(f"{where.address} refuses access: check {where.key_setting} ({answer})")
        case openai.NotFoundError():
            return ModelUnusable(f"{where.address} knows no model {model!r}, or is not a chat-completions API: {words}")
        case _ if _is_too_long(error):
            return ContextFull(f"model {model!r}: the request is too long for it: {words}")
        case openai.RateLimitError():
            return _explain_busy(error, said)
        case _ if HTTPStatus.MULTIPLE_CHOICES <= code < HTTPStatus.BAD_REQUEST:
            to = _without_query(error.response.headers.get("location", ""))
            return ModelUnusable(f"{where.address} redirects to {to or 'nowhere'}: set {where.url_setting}")
        case _ if code < HTTPStatus.INTERNAL_SERVER_ERROR and code not in _ASKED_AGAIN:
            return ModelUnusable(said)
        case _:
            return ModelError(said)


def _explain_busy(error: openai.RateLimitError, said: str) -> ModelError:
    if error.code == "insufficient_quota":
        return ModelUnusable(said)
    wait = _asked_wait(error.response.headers)
    if wait > _LONGEST_WAIT:
        return ModelUnusable(f"{said}; it asks to wait {wait:,.0f} s, so it is not asked again")
    return ModelError(f"{said}; MODEL_REQUESTS_PER_MINUTE keeps a fleet below such a limit")


def _asked_wait(headers: httpx2.Headers) -> float:
    """Return the seconds for which a server asks not to be asked again; 0 if it does not say so."""
    value = headers.get("retry-after", "")
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, OverflowError):
        return 0.0


def _explain_connection(cause: BaseException | None, where: Endpoint) -> ModelError:
    words = _short(str(cause or ""), where)
    if isinstance(cause, httpx2.ConnectError):
        remedy = f"check that the server is running and that {where.url_setting} is right"
        return ModelError(f"nothing answers at {where.address}: {remedy}{f' ({words})' if words else ''}")
    return ModelError(f"the connection to {where.address} broke off{f': {words}' if words else ''}")


def _is_too_long(error: openai.APIStatusError) -> bool:
    """Return whether a request is longer than the model's context, whoever says so; a rate limit is no length."""
    return error.status_code != HTTPStatus.TOO_MANY_REQUESTS and bool(_TOO_LONG.search(str(error).casefold()))


def _short(text: str, where: Endpoint) -> str:
    """Return the first line of a server's words, without the key, which some servers repeat."""
    line = text.strip().partition("\n")[0]
    shown = line.replace(where.key, "…") if len(where.key) >= _SHORTEST_KEY else line
    return with_whole_characters(shown[:_LONGEST])


def _without_query(url: str) -> str:
    """Return an address without what follows its path, which may be secret."""
    return re.split(r"[?#]", url, maxsplit=1)[0][:_LONGEST]
