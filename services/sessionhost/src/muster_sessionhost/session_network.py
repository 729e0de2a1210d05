"""The network of a session whose case has domains: its own namespace, with a proxy as the only way out."""

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
from muster_service.task_cleanup import finish
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
"""Variables that point programs to the proxy, for all hosts: only the proxy can tell a session's own servers apart."""
PAST_PROXY = Unreached(
    why="a program tried to connect directly: that reaches only servers that the session itself runs; for all others "
    "use HTTP through the proxy in HTTP_PROXY and HTTPS_PROXY",
    closed=True,
)
START_SECONDS = 20.0
ANSWER_SECONDS = 5.0


class Mark(NamedTuple):
    """A point in time, and what the session's network had counted by then."""

    when: float = 0.0
    """Monotonic seconds."""
    direct: int = 0
    """Failed connections that bypassed the proxy."""


class _Answer(NamedTuple):
    """A reply of the helper process: bytes, and the socket that it created, if any."""

    data: bytes
    made: socket.socket | None


class _SandboxInfo(msgspec.Struct):
    """What bubblewrap writes about a new sandbox."""

    child: int = msgspec.field(name="child-pid")


class SessionNetwork:
    """One network namespace: the helper process that creates sockets in it, and the proxy that serves it."""

    def __init__(self, reach: Reach, mark: str) -> None:
        """`mark` identifies the session's processes."""
        self._reach, self._mark = reach, mark
        self._helper: Process | None = None
        self._link: socket.socket | None = None
        self._asking = asyncio.Lock()
        self._proxy: CommandProxy | None = None

    async def serve(self, info: BinaryIO) -> None:
        """Start the proxy for a new sandbox; `info` is the pipe into which bubblewrap writes its process id.

        Raises:
            OSError: this host cannot serve the sandbox's network namespace.
        """
        await self.stop()
        child = await asyncio.wait_for(asyncio.to_thread(_read_child, info), START_SECONDS)
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
            raise OSError("the helper process created no socket in the session's network")
        self._link.settimeout(ANSWER_SECONDS)
        self._proxy = CommandProxy(self._reach, self._make_socket, PORT)
        await self._proxy.start(listening)

    async def stop(self) -> None:
        """Stop the proxy and the helper process."""
        if self._proxy is not None:
            await self._proxy.stop()
        if self._helper is not None:
            if self._helper.returncode is None:
                self._helper.kill()  # a caller that waits for its reply then sees the link closed
            await self._helper.wait()
        async with self._asking:
            if self._link is not None:
                self._link.close()
            self._proxy = self._link = self._helper = None

    async def mark(self) -> Mark:
        """Return the current point in time, for `unreached`."""
        return Mark(time.monotonic(), await self._count_direct())

    async def unreached(self, since: Mark) -> tuple[Unreached, ...]:
        """Return the hosts that could not be reached since a point in time."""
        failed = self._proxy.unreached(since.when) if self._proxy else ()
        return (*failed, PAST_PROXY) if await self._count_direct() > since.direct else failed

    async def _count_direct(self) -> int:
        """Return how many connections that bypassed the proxy have failed; 0 if the helper does not reply."""
        with contextlib.suppress(OSError):
            failed = int((await self._ask(b"n")).data)
            return failed - self._proxy.refused_inside if self._proxy else 0
        return 0

    async def _make_socket(self, family: socket.AddressFamily) -> socket.socket:
        made = (await self._ask(b"6" if family == socket.AF_INET6 else b"4")).made
        if made is None:
            raise OSError("the helper process no longer creates sockets in the session's network")
        return made

    async def _ask(self, question: bytes) -> _Answer:
        """Send a request to the helper and return its reply.

        If the caller is cancelled, the reply is still read, so that the next caller does not get it.

        Raises:
            OSError: the helper does not reply.
        """
        return await finish(self._exchange(question))

    async def _exchange(self, question: bytes) -> _Answer:
        async with self._asking:
            if self._link is None:
                raise ConnectionError("the session's network has been closed")
            self._link.sendall(question)
            return await asyncio.to_thread(_receive, self._link)


@contextlib.contextmanager
def open_pipe() -> Generator[tuple[BinaryIO, BinaryIO]]:
    """Open a pipe, yield its reading and its writing end, and close both at the end."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader, os.fdopen(writing, "wb") as writer:
        yield reader, writer


def _read_child(info: BinaryIO) -> int:
    try:
        return msgspec.json.decode(info.read(), type=_SandboxInfo).child
    except msgspec.DecodeError as error:
        raise OSError(f"bubblewrap created no sandbox: {error}") from None


def _receive(link: socket.socket) -> _Answer:
    data, descriptors, _, _ = socket.recv_fds(link, 32, 1)
    if not data:
        raise ConnectionError("the session's network namespace cannot be entered")
    return _Answer(data, socket.socket(fileno=descriptors[0]) if descriptors else None)
