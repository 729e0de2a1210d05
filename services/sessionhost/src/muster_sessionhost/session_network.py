"""The network of a session whose case has domains: a namespace of its own, with a proxy as the only way out."""

import asyncio
import contextlib
import os
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from muster_protocol.session_responses import Unreached
from muster_sessionhost.command_proxy import CommandProxy
from muster_sessionhost.namespace_sockets import PORT
from muster_sessionhost.process_reaper import MARK
from muster_sessionhost.reachable_addresses import Reach

PROXY = f"http://127.0.0.1:{PORT}"
VARIABLES = {
    **{name: PROXY for kind in ("HTTP", "HTTPS", "ALL") for name in (f"{kind}_PROXY", f"{kind.lower()}_proxy")},
    **dict.fromkeys(("NO_PROXY", "no_proxy"), ""),
    "NODE_USE_ENV_PROXY": "1",
}
"""How programs learn of the proxy. No host is left out: only the proxy tells a session's own servers from others."""
PAST_PROXY = Unreached(
    why="a program tried to connect directly: so it reaches only what the session itself runs; everything else goes by "
    "HTTP, through the proxy that HTTP_PROXY and HTTPS_PROXY name",
    closed=True,
)
START_SECONDS = 20.0
ANSWER_SECONDS = 5.0


class Mark(NamedTuple):
    """A moment in the life of a session's network."""

    when: float = 0.0
    direct: int = 0
    """Connections past the proxy that had failed."""


class _Answer(NamedTuple):
    """What the helper says, or makes."""

    data: bytes
    made: socket.socket | None


class _Made(msgspec.Struct):
    """What bubblewrap tells of the sandbox that it has made."""

    child: int = msgspec.field(name="child-pid")


class SessionNetwork:
    """One network namespace: the sockets made in it, and the proxy that serves it."""

    def __init__(self, reach: Reach, mark: str) -> None:
        """`mark` is the session's, by which its processes are known."""
        self._reach, self._mark = reach, mark
        self._helper: Process | None = None
        self._link: socket.socket | None = None
        self._asking = asyncio.Lock()
        self._proxy: CommandProxy | None = None

    async def serve(self, told: BinaryIO) -> None:
        """Serve the namespace of a sandbox, of which bubblewrap tells by a pipe.

        Raises:
            OSError: that cannot be done here.
        """
        await self.stop()
        child = await asyncio.wait_for(asyncio.to_thread(_read_child, told), START_SECONDS)
        self._link, theirs = socket.socketpair()
        self._link.settimeout(START_SECONDS)
        script = Path(__file__).with_name("namespace_sockets.py")
        with theirs:
            self._helper = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(script), str(child)),
                stdin=theirs.fileno(),
                stdout=DEVNULL,
                stderr=DEVNULL,
                env={MARK: self._mark},
                start_new_session=True,
            )
        listening = (await asyncio.to_thread(_receive, self._link)).made
        if listening is None:
            raise OSError("the session's network makes no sockets")
        self._link.settimeout(ANSWER_SECONDS)
        self._proxy = CommandProxy(self._reach, self._make_socket, PORT)
        await self._proxy.start(listening)

    async def stop(self) -> None:
        """End the proxy and what serves it."""
        if self._proxy is not None:
            await self._proxy.stop()
        if self._helper is not None:
            if self._helper.returncode is None:
                self._helper.kill()  # whoever waits for its answer finds the link at its end
            await self._helper.wait()
        async with self._asking:
            if self._link is not None:
                self._link.close()
            self._proxy = self._link = self._helper = None

    async def mark(self) -> Mark:
        """Return the moment that it is, for `unreached`."""
        return Mark(time.monotonic(), await self._direct())

    async def unreached(self, since: Mark) -> tuple[Unreached, ...]:
        """Return what could not be reached since a moment."""
        noted = self._proxy.unreached(since.when) if self._proxy else ()
        return (*noted, PAST_PROXY) if await self._direct() > since.direct else noted

    async def _direct(self) -> int:
        with contextlib.suppress(OSError):
            failed = int((await self._ask(b"n")).data)
            return failed - self._proxy.refused_inside if self._proxy else 0
        return 0

    async def _make_socket(self, family: socket.AddressFamily) -> socket.socket:
        made = (await self._ask(b"6" if family == socket.AF_INET6 else b"4")).made
        if made is None:
            raise OSError("the session's network makes no sockets any more")
        return made

    async def _ask(self, question: bytes) -> _Answer:
        """Ask the helper; whoever gives up leaves no answer behind for the next.

        Raises:
            OSError: it does not answer.
        """
        return await asyncio.shield(asyncio.create_task(self._exchange(question)))

    async def _exchange(self, question: bytes) -> _Answer:
        async with self._asking:
            if self._link is None:
                raise ConnectionError("the session's network is gone")
            self._link.sendall(question)
            return await asyncio.to_thread(_receive, self._link)


@contextlib.contextmanager
def made_pipe() -> Generator[tuple[BinaryIO, BinaryIO]]:
    """Give both ends of a pipe, closed at the end."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as told, os.fdopen(writing, "wb") as telling:
        yield told, telling


def _read_child(told: BinaryIO) -> int:
    try:
        return msgspec.json.decode(told.read(), type=_Made).child
    except msgspec.DecodeError as error:
        raise OSError(f"bubblewrap made no sandbox: {error}") from None


def _receive(link: socket.socket) -> _Answer:
    data, descriptors, _, _ = socket.recv_fds(link, 32, 1)
    if not data:
        raise ConnectionError("the session's network namespace cannot be entered")
    return _Answer(data, socket.socket(fileno=descriptors[0]) if descriptors else None)
