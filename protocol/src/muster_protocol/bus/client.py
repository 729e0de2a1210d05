"""The NATS client of every process: nats-py, kept alive through what would leave it closed or deaf for good.

What is overridden is private to nats-py; tests/integration/bus/faults/test_client.py shows each case on a real server.
"""

import asyncio
from typing import Any

from nats.aio import client as nats_py
from nats.errors import Error as NatsError
from nats.errors import UnexpectedEOF

PING_SECONDS = 5.0
UNANSWERED_PINGS = 2
"""A connection whose peer is gone without a word is given up after three times PING_SECONDS."""


class Client(nats_py.Client):
    """A connection that ends only when it is closed on purpose."""

    async def _process_err(self, err_msg: str) -> None:
        """Connect again whatever the server complains of: nats-py would close for good, say, at a login revoked."""
        if "permissions violation" in err_msg.lower() or "stale connection" in err_msg.lower():
            await super()._process_err(err_msg)
            return
        error = NatsError(f"nats: {err_msg}")
        await self._error_cb(error)
        await self._process_op_err(error)

    async def _process_pong(self) -> None:
        """Take an answer to a ping whose asker has given up: nats-py would fail at it and read nothing more."""
        if self._pongs and self._pongs[0].done():
            self._pongs[0] = asyncio.get_running_loop().create_future()
        await super()._process_pong()

    async def _read_loop(self) -> None:
        """Connect again where reading ends on a connection that counts as up: nats-py would stay deaf to it."""
        await super()._read_loop()
        if self.is_connected and asyncio.current_task() is self._reading_task:
            await self._process_op_err(UnexpectedEOF())

    async def _attempt_reconnect(self) -> None:
        """Drop the old socket with what it has not sent: nats-py would wait for a peer that takes nothing any more."""
        self._drop_socket()
        await super()._attempt_reconnect()

    async def _connect_to_server(self, s: nats_py.Srv) -> None:
        """Drop the socket of an attempt that failed: nats-py would leave it open."""
        self._drop_socket()
        await super()._connect_to_server(s)

    def _drop_socket(self) -> None:
        writer: Any = getattr(self._transport, "_io_writer", None)
        if writer is not None:
            writer.transport.abort()

    async def _process_connect_init(self) -> None:
        """End what an attempt that failed half-way left running: nats-py would have two readers on one socket."""
        for name in ("_reading_task", "_ping_interval_task", "_flusher_task"):
            task: asyncio.Task[None] | None = getattr(self, name)
            if task is not None and not task.done():
                task.cancel()
        await super()._process_connect_init()
