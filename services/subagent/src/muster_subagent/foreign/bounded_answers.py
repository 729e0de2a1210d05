"""The HTTP client of MCP servers: what a server sends in answer to one request has a size. Thin."""

from collections.abc import AsyncGenerator
from typing import Any, cast

import httpx2

LARGEST_ANSWER = 5_000_000
"""Bytes."""


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client that reads no more than `LARGEST_ANSWER` bytes of an answer, and none that is packed."""

    async def send(
        self,
        request: httpx2.Request,
        *,
        stream: bool = False,
        **options: Any,  # noqa: ANN401
    ) -> httpx2.Response:
        """Send a request and return the answer.

        Raises:
            httpx2.HTTPError: there is none, or it is packed or too large.
        """
        request.headers["Accept-Encoding"] = "identity"
        response = await super().send(request, stream=True, **options)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.DecodingError("its answer is packed, which was not offered", request=request)
        response.stream = _Bounded(cast("httpx2.AsyncByteStream", response.stream), request)
        if not stream:
            await response.aread()
        return response


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, request: httpx2.Request) -> None:
        self._stream, self._request = stream, request

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        received = 0
        async for piece in self._stream:
            received += len(piece)
            if received > LARGEST_ANSWER:
                raise httpx2.ReadError(f"its answer has more than {LARGEST_ANSWER:,} bytes", request=self._request)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
