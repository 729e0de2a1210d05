"""Calls one chat-completions endpoint with the `openai` library, and translates its errors. Thin."""

from dataclasses import replace
from types import TracebackType
from typing import Any, Self, cast

import httpx2
import openai
from openai.types.chat import ChatCompletion

from muster_model.bounded_client import LARGEST_ANSWER, AnswerTooLarge, BoundedClient
from muster_model.endpoint_faults import explain, words_of
from muster_model.minute_budgets import OUTGOING, Pace
from muster_model.model_errors import ModelError, ModelUnusable, RequestRefused
from muster_model.other_keys import OtherKey
from muster_model.settings import Endpoint, ModelSettings


class ChatClient:
    """A client of one endpoint; the library retries after network errors and when the server is busy."""

    def __init__(self, endpoint: Endpoint, settings: ModelSettings, pace: Pace | None) -> None:
        self._endpoint, self._timeout, self._pace = endpoint, settings.model_timeout_seconds, pace
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.url or "https://api.openai.com/v1",
            timeout=settings.model_timeout_seconds,
            max_retries=settings.model_retries,
            http_client=BoundedClient(settings.model_timeout_seconds, self._wait_for_place),
        )

    async def _wait_for_place(self) -> None:
        """Wait until the fleet's budget has room for a request: the library sends one again after a fault."""
        if self._pace:
            asks = OUTGOING.get()
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
            refusal = explain(error, model, endpoint, self._timeout)
            raise RequestRefused(error.message, refusal, error.param or "") from error
        except AnswerTooLarge as error:
            text = f"{endpoint.address} answers with more than {LARGEST_ANSWER // 1000} kB, as no model does"
            raise ModelUnusable(f"{text} that keeps to `max_tokens`: check {endpoint.url_setting}") from error
        except (openai.OpenAIError, httpx2.HTTPError, ValueError) as error:
            raise explain(error, model, endpoint, self._timeout) from error
        return _checked(answer, endpoint)


def _checked(answer: object, where: Endpoint) -> ChatCompletion:
    """Return an answer that holds a reply.

    Raises:
        ModelError: it holds none; what the server says instead is told.
    """
    if not isinstance(answer, ChatCompletion):
        said = words_of(answer, where) if isinstance(answer, str) else ""
        text = f"{where.address} answers, but is not a chat-completions API: set {where.url_setting}"
        raise ModelUnusable(f"{text} (it says: {said})" if said else text)
    if isinstance(cast("object", answer.choices), list) and answer.choices:
        return answer
    if said := words_of(getattr(answer, "error", None), where):
        raise ModelError(f"{where.address} answers with an error: {said}")
    raise ModelError(f"{where.address} answers without any reply of the model")
