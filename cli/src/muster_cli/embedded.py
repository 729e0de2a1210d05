"""Embedded mode: a private nats-server and all services as child processes that end with the command."""

import asyncio
import platform
import secrets
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from nats.errors import Error as NatsError

from muster_bus import Bus, Rows, connect, provision
from muster_bus.nats_server import Login, NatsServer, nats_server
from muster_cli.child_process import Child, Spec, build_spec, describe_exit, last_lines
from muster_cli.orphan_guard import Guard
from muster_protocol.errors import MusterError
from muster_protocol.logs import WorkerRow
from muster_service.settings import BusSettings, SettingsError, load

START_SECONDS = 60.0
STOP_SECONDS = 10.0
LOOPBACK = "127.0.0.1"
"""Where the gateway listens: no other machine reaches it."""
RESTARTS = 3
WRONG_SETTINGS = 2
"""Exit code of a service that cannot use its settings."""
FOREIGN = (
    *("NATS_USER", "NATS_PASSWORD", "NATS_CREDENTIALS", "NATS_TLS_CA", "NATS_TLS_CERT", "NATS_TLS_KEY"),
    *("MUSTER_PREFIX", "PROVISION", "HOST_ID"),
)
"""Settings of the user's own fleet, which a private one must not take over."""
MODEL_KEY = "_API_KEY"
SECRETS = ("SECRET_", "SECRETS_")
"""Suffix of settings that hold a model's key; only workers get them."""
GATEWAY_KEY = "API_KEY"
"""Setting of the gateway that gets a key made for this fleet; other services see the user's variable of that name."""
SEED = "nats.seed"
"""File of the private server's login, in the fleet's own folder."""
T = TypeVar("T")


class FleetFailed(MusterError):
    """A service does not start or keeps dying; the message contains its last log lines."""


class Plan(NamedTuple):
    """What to start."""

    workers: int = 2
    nats_url: str = ""
    """An existing NATS server; empty: start a private one."""
    data: Path | None = None
    """Folder for NATS data and logs; None: a temporary one."""
    logs: Path | None = None
    port: int = 0
    """Of the gateway; 0: any free one."""
    max_runs: int = 0
    """Maximum number of runs; 0: MAX_RUNS of the environment."""
    worker_env: Mapping[str, str] = {}


class Fleet:
    """The running fleet."""

    def __init__(
        self,
        bus: Bus,
        children: Sequence[Child],
        folder: Path,
        guard: Guard,
        tell: Callable[[str], None],
        *,
        server: NatsServer | None = None,
    ) -> None:
        self.bus, self.children, self.folder, self._server = bus, children, folder, server
        self.gateway_url, self.gateway_key = "", ""
        self._guard, self._tell = guard, tell
        self._stopping = False
        self._failure: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._watching: list[asyncio.Task[None]] = []

    @property
    def gateway_link(self) -> str:
        """Address of the console with the key to log in; browsers do not send the part after # to servers."""
        return f"{self.gateway_url}/console/#key={self.gateway_key}"

    @property
    def failure(self) -> str:
        """Why the fleet cannot go on; empty while it can."""
        return self._failure.result() if self._failure.done() else ""

    async def start(self, timeout: float = START_SECONDS) -> None:
        """Start all services and wait until each is present on the bus.

        Raises:
            SettingsError: one cannot use its settings.
            FleetFailed: one ended, or was not there in time.
        """
        for child in self.children:
            await self._start(child)
        deadline = time.monotonic() + timeout
        while missing := await self._missing():
            for child in self.children:
                if not child.alive:
                    raise _not_started(child, await child.wait())
            if time.monotonic() > deadline:
                logs = "\n".join(f"  {child.spec.name}:\n{child.last_lines(8)}" for child in missing)
                raise FleetFailed(f"not ready after {timeout:g} s:\n{logs}")
            await asyncio.sleep(0.05)
        self._watching = [asyncio.create_task(self._watch(child)) for child in self.children]
        if self._server:
            self._watching.append(asyncio.create_task(self._watch_server(self._server)))
        self.gateway_url = await self._gateway_address(deadline)

    async def warnings(self) -> tuple[str, ...]:
        """Return what the services warn of, such as a browser that is missing, each once."""
        own = {child.pid for child in self.children}
        rows = [row for row in await Rows(self.bus, "WORKERS", WorkerRow).all() if row.pid in own]
        return tuple(dict.fromkeys(f"{row.service}: {warning}" for row in rows for warning in row.warnings))

    async def stop(self, grace: float = STOP_SECONDS) -> None:
        """Stop all services at the same time."""
        self._stopping = True
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*(child.stop(grace) for child in self.children))

    async def while_whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of the work, which is cancelled if the fleet fails for good or this task is cancelled.

        Raises:
            FleetFailed: the fleet failed, and the cancelled work had nothing to return.
        """
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, self._failure}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await _cancel(task)
            current = asyncio.current_task()
            if task.cancelled() or current is None:
                raise
            current.uncancel()
        await _cancel(task)
        if task.cancelled():
            raise FleetFailed(self.failure)
        return task.result()

    async def _start(self, child: Child) -> None:
        await child.start()
        self._guard.service(child.pid)

    async def _watch(self, child: Child) -> None:
        """Start a service again when it dies, a few times."""
        while True:
            words = describe_exit(await child.wait())
            if self._stopping:
                return
            report = f"{child.spec.name} {words}; its last log lines:\n{child.last_lines()}"
            if not self._may_start_again(report, child.starts):
                return
            await self._start(child)

    async def _watch_server(self, server: NatsServer) -> None:
        """Start the private NATS server again when it dies, a few times; it keeps its data, and the services wait."""
        for starts in count(1):
            words = describe_exit(await server.wait())
            if self._stopping:
                return
            report = f"nats-server {words}; its last log lines:\n{last_lines(server.folder / 'nats.log')}"
            if not self._may_start_again(report, starts):
                return
            try:
                with suppress(MusterError):  # it died again at once
                    await server.start()
            except (OSError, TimeoutError) as error:
                self._fail(f"{report}\n  it cannot be started again: {error or 'it does not answer'}")
                return
            self._guard.server(server.pid)

    def _may_start_again(self, report: str, starts: int) -> bool:
        """Tell that a process has ended, and return whether to start it again; after a few starts the fleet fails."""
        if starts > RESTARTS:
            self._fail(f"{report}\n  it was started {starts} times; giving up")
            return False
        self._tell(f"{report}\n  starting it again ({starts} of {RESTARTS})")
        return True

    def _fail(self, why: str) -> None:
        if not self._failure.done():
            self._failure.set_result(why)

    async def _missing(self) -> list[Child]:
        with suppress(TimeoutError, NatsError):
            rows = await Rows(self.bus, "WORKERS", WorkerRow).all()
            present = {row.pid for row in rows if row.host == platform.node()}
            return [child for child in self.children if child.pid not in present]
        return list(self.children)

    async def _gateway_address(self, deadline: float) -> str:
        file = self.folder / "gateway.port"
        while not (text := file.read_text().strip() if file.exists() else ""):
            if time.monotonic() > deadline:
                raise FleetFailed("the gateway did not say on which port it listens")
            await asyncio.sleep(0.05)
        return f"http://{LOOPBACK}:{int(text.rpartition(':')[2])}"


def _not_started(child: Child, code: int) -> MusterError:
    """Return the error for a service that has ended with a code before it was ready."""
    said = f"{child.spec.name} {describe_exit(code)}:\n{child.last_lines()}"
    return SettingsError(said) if code == WRONG_SETTINGS else FleetFailed(said)


async def _cancel(task: asyncio.Future[Any]) -> None:
    """Cancel the task unless it is done, and wait for its end."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task})


@asynccontextmanager
async def embedded(plan: Plan, environ: Mapping[str, str], tell: Callable[[str], None]) -> AsyncGenerator[Fleet]:
    """Run a fleet inside the block; afterwards, all its processes and temporary files are removed.

    Raises:
        SettingsError: a service cannot use the settings in `environ`.
        FleetFailed: it does not start.
        MusterError: NATS does not start or answer, or holds other settings.
    """
    async with AsyncExitStack() as stack:
        guard = Guard()
        stack.callback(guard.dismiss)
        folder = stack.enter_context(work_folder(guard))
        url, server = plan.nats_url, None
        if not url:
            login = Login.make()
            login.write(folder / SEED)
            server = await stack.enter_async_context(nats_server((plan.data or folder) / "nats", login))
            guard.server(server.pid)
            url = server.url
        env = fleet_environment(environ, plan, url, folder)
        bus = await connect(load(BusSettings, env), name="muster-cli", patience=10.0)
        stack.push_async_callback(bus.close)
        await provision(bus)
        logs = plan.logs or (plan.data or folder) / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        key = secrets.token_urlsafe(32)
        children = [Child(made, logs) for made in build_specs(plan, env, key)]
        fleet = Fleet(bus, children, folder, guard, tell, server=server)
        fleet.gateway_key = key
        stack.push_async_callback(fleet.stop)
        await fleet.start()
        yield fleet


def fleet_environment(environ: Mapping[str, str], plan: Plan, nats_url: str, folder: Path) -> dict[str, str]:
    """Return the environment of all services: the user's, with the fleet's own settings. Pure."""
    dropped = () if plan.nats_url else FOREIGN
    env = {name: value for name, value in environ.items() if name not in dropped}
    if not plan.nats_url:
        env["NATS_CREDENTIALS"] = str(folder / SEED)
    env |= {"NATS_URL": nats_url, "METRICS_PORT": "0", "PROVISION": "0"}
    env |= {
        "HTTP_HOST": LOOPBACK,
        "HTTP_PORT": str(plan.port),
        "PORT_FILE": str(folder / "gateway.port"),
        "PYTHONUNBUFFERED": "1",
    }
    env.setdefault("SESSIONS_DIR", str(folder / "sessions"))
    env.setdefault("SHUTDOWN_SECONDS", "5")
    env.setdefault("SESSION_DRAIN_SECONDS", "0")  # who could end its runs is stopped at the same time
    if plan.max_runs:
        env.setdefault("MAX_RUNS", str(plan.max_runs))
    return env


def build_specs(plan: Plan, env: Mapping[str, str], gateway_key: str = "") -> tuple[Spec, ...]:
    """Return the services of a fleet; secrets and model keys go to the workers alone, its key to the gateway. Pure."""
    others = {name: value for name, value in env.items() if not _is_for_workers(name)}
    workers = [
        build_spec(f"subagent-{number}", "subagent", {**env, **plan.worker_env})
        for number in range(1, plan.workers + 1)
    ]
    return (
        build_spec("orchestrator", "orchestrator", others),
        *workers,
        build_spec("sessions", "sessions", others),
        build_spec("gateway", "gateway", {**others, GATEWAY_KEY: gateway_key}),
    )


def _is_for_workers(name: str) -> bool:
    return name.startswith(SECRETS) or name.endswith(MODEL_KEY)


@contextmanager
def work_folder(guard: Guard) -> Generator[Path]:
    """Yield a private folder that is removed however this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="muster-"))
    guard.folder(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
