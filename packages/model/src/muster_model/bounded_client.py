"""The HTTP client of a model endpoint: it bounds the time and size of answers, and follows no redirect. Thin."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import openai

LARGEST_ANSWER = 400_000
"""Bytes of the largest answer that is read; with its escapes, it still fits into one message of the journal."""
_OF_THE_TRANSFER = ("content-encoding", "content-length", "transfer-encoding")
"""Headers about the encoded body; they do not fit its decoded content."""


class AnswerTooLarge(openai.OpenAIError):
    """The answer has more than `LARGEST_ANSWER` bytes; the library passes its own kind of error on at once."""


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """An HTTP client for the `openai` library; key and question go to no other address than the one that is set."""

    def __init__(self, seconds: float, wait_for_place: Callable[[], Awaitable[None]]) -> None:
        super().__init__(timeout=seconds, follow_redirects=False)
        self._seconds, self._wait_for_place = seconds, wait_for_place

    async def send(
        self,
        request: httpx2.Request,
        *,
        stream: bool = False,
        **options: Any,  # noqa: ANN401
    ) -> httpx2.Response:
        """Send a request, once the fleet's budget has room for it, and return the whole answer.

        Raises:
            httpx2.HTTPError: there is no answer, or not all of it within the time; the library tries again.
            AnswerTooLarge: the answer has more than `LARGEST_ANSWER` bytes.
        """
        await self._wait_for_place()
        try:
            # The client's own timeout begins anew with each byte, so a server that sends slowly would never end.
            async with asyncio.timeout(self._seconds):
                return await _read(await super().send(request, stream=True, **options))
        except TimeoutError as error:
            raise httpx2.ReadTimeout("the answer was not complete in time", request=request) from error


async def _read(response: httpx2.Response) -> httpx2.Response:
    """Return a response with its whole content."""
    content = bytearray()
    try:
        async for part in response.aiter_bytes():
            content += part
            if len(content) > LARGEST_ANSWER:
                raise AnswerTooLarge
    finally:
        await response.aclose()
    headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_TRANSFER]
    return httpx2.Response(response.status_code, headers=headers, content=bytes(content), request=response.request)
