"""A NATS server whose disk is full: it answers reads and no write, so what writes has to say so."""

import asyncio
import json
import shutil
import signal
import subprocess
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import pytest_asyncio
from waiting import eventually

from muster_bus import Bus, Log, Rows, connect, provision
from muster_bus.nats_server import CONFIG, OPEN, NatsServer, executable
from muster_protocol.errors import OutcomeUnknown
from muster_protocol.events import Entry
from muster_protocol.logs import WorkerRow
from muster_service.settings import BusSettings

SIZE = "12m"
ROW = WorkerRow(id="a", service="subagent", host="h", pid=1, version="1")
MOUNT = f'mkdir -p "$0" && mount -t tmpfs -o size={SIZE} tmpfs "$0" && echo mounted && exec sleep 300'
NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")


def no_small_disk() -> str:
    """Return why this machine lets nobody mount a small disk for one process; empty if it does."""
    if not (shutil.which("unshare") and shutil.which("nsenter")):
        return "util-linux is not installed"
    tried = subprocess.run(
        (*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"), capture_output=True, text=True, check=False
    )
    return tried.stderr.strip()


pytestmark = pytest.mark.skipif(bool(no_small_disk()), reason="no small disk can be mounted")


class OnSmallDisk(NatsServer):
    """A server in the mount namespace of another process, where its data is on a disk of SIZE."""

    def __init__(self, folder: Path, holder: int) -> None:
        super().__init__(folder)
        self._holder = holder

    @property
    def disk(self) -> Path:
        """The small disk, as seen from outside."""
        return Path(f"/proc/{self._holder}/root{self.folder / 'js'}")

    async def start(self, timeout: float = 20.0) -> None:
        """Start the server and wait until it accepts connections."""
        config, store = self.folder / "nats.conf", json.dumps(str(self.folder / "js"))
        config.write_text(CONFIG.format(port=self.port, store=store) + OPEN)
        ports, log = ("--ports_file_dir", str(self.folder)), ("-l", str(self.folder / "nats.log"))
        enter = ("nsenter", "-t", str(self._holder), "--user", "--mount", "--preserve-credentials")
        self._process = await asyncio.create_subprocess_exec(
            *(*enter, executable(), "-c", str(config), *ports, *log), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
        )
        async with asyncio.timeout(timeout):
            await self._wait_for_ports()


@pytest.fixture
def holder(tmp_path: Path) -> Generator[int]:
    """Give the id of a process that has a small disk at `js`."""
    command = (*NAMESPACE, "sh", "-c", MOUNT, str(tmp_path / "js"))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "mounted\n"
        yield process.pid
        process.kill()


@pytest_asyncio.fixture
async def small(tmp_path: Path, holder: int) -> AsyncGenerator[OnSmallDisk]:
    """Run a server on a small disk."""
    server = OnSmallDisk(tmp_path, holder)
    await server.start()
    try:
        yield server
    finally:
        await server.stop(signal.SIGKILL)


def fill(disk: Path) -> Path:
    """Fill a disk to its last byte and return the file that does."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 16)):
                continue
        except OSError:
            return filler
    raise AssertionError("the disk took everything")


async def written(bus: Bus) -> bool:
    """Return whether a row is stored now."""
    try:
        await Rows(bus, "WORKERS", WorkerRow).put("a", ROW)
    except (TimeoutError, OSError):
        return False
    return True


@pytest.mark.slow
async def test_a_full_disk_is_named_and_after_room_and_a_restart_work_goes_on_without_a_loss(small: OnSmallDisk):
    bus = await connect(BusSettings(nats_url=small.url), name="test", patience=10.0)
    try:
        await provision(bus)
        log = Log(bus, "RUNS", bus.names.events("run-1"))
        first = await log.append(Entry(epoch=1, at=1.0, events=()))
        filler = await asyncio.to_thread(fill, small.disk)
        while await written(bus):  # what fits into pages that the server has already
            assert (small.disk / "filler").exists()
        assert "bucket WORKERS" in bus.trouble
        assert "after `no space left on device`, make room and restart nats" in bus.trouble.lower()
        with pytest.raises(OutcomeUnknown):
            while True:
                await log.append(Entry(epoch=1, at=2.0, events=()))
        assert "stream RUNS" in bus.trouble

        filler.unlink()
        assert not await written(bus)  # room alone does not help: the server remembers the failure
        await small.stop(signal.SIGTERM)
        await small.start()
        await eventually(lambda: written(bus), "it is stored again", 20)
        stored = await log.read()
        assert stored[0].seq == first
        await log.append(Entry(epoch=1, at=3.0, events=()))
        assert bus.trouble == ""
    finally:
        await bus.close()
