"""What the gateway's connections have from the socket that it listens on."""

import asyncio
import socket

from muster_gateway.http.server import listen


async def test_no_piece_of_an_answer_waits_for_the_acknowledgement_of_the_one_before() -> None:
    accepted = asyncio.get_running_loop().create_future()

    def take(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken = writer.get_extra_info("socket")
        accepted.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    with listen("127.0.0.1", 0) as listening:
        async with await asyncio.start_server(take, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            assert await asyncio.wait_for(accepted, 10)
            writer.close()
