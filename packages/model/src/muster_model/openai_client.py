"""Calls one chat-completions endpoint with the `openai` library, and translates its errors. Thin."""

import json
import re
from dataclasses import replace
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self, cast

import httpx
import openai
from openai.types.chat import ChatCompletion

from muster_model.minute_budgets import OUTGOING, Pace
from muster_model.model_errors import ContextFull, ModelError, ModelUnusable, RequestRefused
from muster_model.other_keys import OtherKey
from muster_model.settings import Endpoint, ModelSettings


class ChatClient:
    """A client of one endpoint; the library retries after network errors and when the server is busy."""

    def __init__(self, endpoint: Endpoint, settings: ModelSettings, pace: Pace | None = None) -> None:
        self._endpoint, self._timeout, self._pace = endpoint, settings.model_timeout_seconds, pace
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.url or "https://api.openai.com/v1",
            timeout=settings.model_timeout_seconds,
            max_retries=settings.model_retries,
            http_client=openai.DefaultAsyncHttpxClient(event_hooks={"request": [self._wait_for_place]})
            if pace
            else None,
        )

    async def _wait_for_place(self, _: httpx.Request) -> None:
        """Wait until the fleet's budget has room for a request: the library sends one again after a fault."""
        asks = OUTGOING.get()
        if self._pace:
            await self._pace.wait(self._endpoint, asks.tokens, asks.told)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def complete(self, wanted: dict[str, Any], key: OtherKey | None = None) -> ChatCompletion:
        """Send a request and return the answer, with another key than the endpoint's own if one is given.

        Raises:
            RequestRefused: the server rejects the request, perhaps because of one of its parameters.
            ModelError: the server gave no usable answer.
        """
        endpoint, model = self._endpoint, str(wanted["model"])
        if key:
            endpoint = replace(endpoint, key=key.value, key_setting=key.remedy)
            wanted = {**wanted, "extra_headers": {"Authorization": f"Bearer {key.value}"}}
        try:
            answer = cast("object", await self._client.chat.completions.create(**wanted))
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            raise RequestRefused(error.message, self._explain(error, model, endpoint), error.param or "") from error
        except (openai.OpenAIError, httpx.HTTPError, ValueError) as error:
            raise self._explain(error, model, endpoint) from error
        if not isinstance(answer, ChatCompletion):
            text = f"{endpoint.address} answers, but is not a chat-completions API: set {endpoint.url_setting}"
            raise ModelUnusable(text)
        if not answer.choices and (said := getattr(answer, "error", None)):
            raise ModelError(f"{endpoint.address} answers with an error: {str(said)[:300]}")
        return answer

    def _explain(self, error: Exception, model: str, where: Endpoint) -> ModelError:
        """Return the error to raise for an error of the library."""
        match error:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return ModelUnusable(f"{where.address} refuses the key: set {where.key_setting}")
            case openai.NotFoundError():
                return ModelUnusable(
                    f"{where.address} knows no model {model!r}, or is not a chat-completions API: {_first_line(error)}"
                )
            case openai.APIStatusError() if _is_too_long(error):
                return ContextFull(f"model {model!r}: the request is too long for it: {_first_line(error)}")
            case openai.RateLimitError():
                remedy = "MODEL_REQUESTS_PER_MINUTE keeps a fleet below such a limit"
                return ModelError(f"{where.address} answers HTTP {error.status_code}: {_first_line(error)}; {remedy}")
            case openai.APIStatusError():
                return ModelError(f"{where.address} answers HTTP {error.status_code}: {_first_line(error)}")
            case openai.APITimeoutError():
                return ModelError(f"model {model!r} did not answer within {self._timeout:g} s (MODEL_TIMEOUT_SECONDS)")
            case openai.APIConnectionError():
                remedy = f"check that the server is running and that {where.url_setting} is right"
                return ModelError(f"nothing answers at {where.address}: {remedy}")
            case json.JSONDecodeError():
                return ModelError(f"{where.address} does not answer with JSON: check that {where.url_setting} is right")
            case _:
                return ModelError(f"the answer of {where.address} is not valid: {_first_line(error)}")


_TOO_LONG = re.compile(
    r"context.*(length|exceed|maximum|too long|size)|(length|exceed|maximum|too long|size).*context"
    r"|(prompt|input)( \w+){0,3} too long",
    re.DOTALL,
)


def _is_too_long(error: openai.APIStatusError) -> bool:
    """Return whether a request is longer than the model's context, whoever says so; a rate limit is no length."""
    return error.status_code != HTTPStatus.TOO_MANY_REQUESTS and bool(_TOO_LONG.search(str(error).casefold()))


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:300]
