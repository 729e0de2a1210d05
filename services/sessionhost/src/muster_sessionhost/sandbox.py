"""Where commands run: in bubblewrap, which shows them programs read-only and the session's folders alone."""

import asyncio
import os
import shutil
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import structlog

from muster_protocol.errors import MusterError
from muster_protocol.session_requests import Exec
from muster_protocol.session_responses import SessionError
from muster_protocol.sessions import NO_SANDBOX
from muster_sessionhost.settings import SessionHostSettings

log = structlog.get_logger("muster.sessions")

SYSTEM_PATH = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
ETC = (
    *("alternatives", "bash.bashrc", "ca-certificates", "ca-certificates.conf", "crypto-policies", "debian_version"),
    *("fonts", "fuse.conf", "gai.conf", "gitconfig", "group", "host.conf", "hostname", "hosts", "inputrc", "java"),
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "locale.conf", "localtime", "login.defs", "magic"),
    *("mime.types", "nsswitch.conf", "os-release", "passwd", "perl", "php", "pip.conf", "pki", "profile", "profile.d"),
    *("protocols", "python3", "resolv.conf", "rpc", "services", "shells", "ssl/certs", "ssl/openssl.cnf", "terminfo"),
    *("timezone", "xdg"),
)
"""What commands see of /etc: how programs are set up, and no secret of the machine or of other services."""
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/run/systemd/resolve"),
    *(f"/etc/{name}" for name in ETC),
)
"""System paths that commands can read; EXEC_VISIBLE adds more."""
RESOLVING = ("/run/systemd/resolve", "/etc/resolv.conf")
"""Names are looked up there: a socket lies there that asks any server on behalf of whoever finds it."""
NO_NAMES = "resolv.conf"
"""File in the control folder: there are no names to be looked up where the proxy is the only way out."""
PROBE_SECONDS = 10.0


class SandboxMissing(MusterError):
    """Bubblewrap was asked for and does not work here."""


class Folders(NamedTuple):
    """The folders of one session, all below one of its own."""

    root: Path

    @property
    def work(self) -> Path:
        """The session's directory: its files, and where its commands start."""
        return self.root / "work"

    @property
    def temporary(self) -> Path:
        """What commands find at /tmp."""
        return self.root / "tmp"

    @property
    def control(self) -> Path:
        """Pipes between host and commands; the commands cannot write into the folder itself."""
        return self.root / "control"

    @property
    def state(self) -> Path:
        """Directory and variables that commands leave behind for the next."""
        return self.root / "state"

    @property
    def records(self) -> Path:
        """Trace and HAR, hidden from commands."""
        return self.root / "records"

    def make(self) -> None:
        """Make all of them, for this user alone."""
        self.root.mkdir(mode=0o700, parents=True)
        for folder in (self.work, self.work / "home", self.temporary, self.control, self.state, self.records):
            folder.mkdir(mode=0o700)


class Sandbox(NamedTuple):
    """How commands are confined on this host; without `program` they run as plain processes."""

    program: str = ""
    contained: bool = False
    """The operator vouches that this host is itself confined, so that plain processes are."""
    hidden: tuple[Path, ...] = ()
    """Folders whose content commands must not see."""
    visible: tuple[Path, ...] = ()
    """Folders shown read-only although they lie in hidden ones."""
    blanked: tuple[Path, ...] = ()
    """Files outside hidden folders that commands find empty."""
    keeps_domains: bool = False
    """Whether commands can be kept to the domains of their case."""

    @property
    def confines(self) -> bool:
        """Whether commands cannot reach beyond their session."""
        return bool(self.program) or self.contained

    def refusal(self, asked: Exec, model_commands: Literal["refuse", "ask", "allow"]) -> SessionError | None:
        """Return why a command must not run here, or None; what nothing confines a model may not choose."""
        if self.confines or asked.author == "case" or model_commands == "allow":
            return None
        if model_commands == "ask":
            text = f"a person has to approve this command, as {NO_SANDBOX}"
            return None if asked.approved else SessionError(reason="needs_approval", text=text)
        text = f"a model chose this command, and {NO_SANDBOX}, or set UNSANDBOXED_MODEL_COMMANDS to ask or allow"
        return SessionError(reason="no_sandbox", text=text)

    def prefix(self, folders: Folders, told: int | None = None) -> tuple[str, ...]:
        """Return the arguments that go before a command's own.

        `told` is a descriptor into which bubblewrap writes of a sandbox with a network of its own; None: it has
        the host's.
        """
        if not self.program:
            return ()
        shown = SYSTEM if told is None else tuple(folder for folder in SYSTEM if folder not in RESOLVING)
        return (
            self.program,
            *(part for folder in shown for part in ("--ro-bind-try", folder, folder)),
            *("--dev", "/dev", "--proc", "/proc"),
            *(part for folder in self.hidden for part in ("--tmpfs", str(folder))),
            *(part for folder in self.visible for part in ("--ro-bind-try", str(folder), str(folder))),
            *(part for file in self.blanked for part in ("--ro-bind", "/dev/null", str(file))),
            *("--bind", str(folders.temporary), "/tmp"),
            *(part for folder in (folders.work, folders.state) for part in ("--bind", str(folder), str(folder))),
            *("--ro-bind", str(folders.control), str(folders.control)),
            *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"),
            *(() if told is None else ("--ro-bind", str(folders.control / NO_NAMES), "/etc/resolv.conf")),
            *(() if told is None else ("--unshare-net", "--info-fd", str(told))),
            *("--remount-ro", "/", "--die-with-parent", "--new-session", "--chdir", str(folders.work)),
        )

    def environment(self, folders: Folders, host_path: str) -> dict[str, str]:
        """Return the variables a session's first command starts with; of the host's own only the PATH is used."""
        home = folders.work / "home"
        temporary = Path("/tmp") if self.program else folders.temporary
        path = (str(home / ".local" / "bin"), *self._reachable(host_path.split(os.pathsep)), *SYSTEM_PATH)
        return {
            "PATH": os.pathsep.join(dict.fromkeys(path)),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": str(temporary),
        }

    def _reachable(self, entries: Iterable[str]) -> list[str]:
        def shown(folder: Path) -> bool:
            return not any(map(folder.is_relative_to, self.hidden)) or any(map(folder.is_relative_to, self.visible))

        return [entry for entry in entries if entry.startswith("/") and shown(Path(entry))]


def hidden_folders(home: Path, working: Path, sessions: Path) -> tuple[Path, ...]:
    """Return the folders commands must not look into, outer ones first: homes, the host's own, secrets, sessions."""
    wanted = {Path("/home"), Path("/root"), home, Path("/run/secrets"), sessions}
    if not any(folder.is_relative_to(working) for folder in map(Path, (*SYSTEM_PATH, "/lib", "/etc", "/tmp"))):
        wanted.add(working)
    found = sorted({folder.resolve() for folder in wanted if folder.is_dir()} - {Path("/")})
    return tuple(
        folder for folder in found if not any(folder.is_relative_to(other) for other in found if other != folder)
    )


def own_credentials(settings: SessionHostSettings) -> tuple[Path, ...]:
    """Return the files with which this host identifies itself to NATS."""
    named = (settings.nats_credentials, settings.nats_tls_key)
    return tuple(Path(file).resolve() for file in named if file and Path(file).is_file())


async def find_sandbox(settings: SessionHostSettings, sessions: Path, environ: Mapping[str, str]) -> Sandbox:
    """Return the sandbox that works here, by trying it.

    Raises:
        SandboxMissing: the settings demand bubblewrap, and it does not work.
    """
    if settings.sandbox == "container":
        return Sandbox(contained=True)
    if settings.sandbox == "none":
        log.warning(NO_SANDBOX, model_commands=settings.unsandboxed_model_commands, problem="SANDBOX=none")
        return Sandbox()
    hidden = hidden_folders(Path(environ.get("HOME", "/root")), Path.cwd(), sessions)
    visible = tuple(Path(entry) for entry in settings.exec_visible.split(os.pathsep) if entry)
    program = shutil.which("bwrap")
    problem = "it is not installed (the package is called bubblewrap)"
    if program:
        shown = [file for file in own_credentials(settings) if not any(map(file.is_relative_to, hidden))]
        sandbox = Sandbox(program, hidden=hidden, visible=visible, blanked=tuple(shown))
        problem = await _try(sandbox, sessions)
        if not problem:
            return sandbox
    if settings.sandbox == "bwrap":
        raise SandboxMissing(f"SANDBOX=bwrap, but bubblewrap does not work here: {problem}")
    log.warning(NO_SANDBOX, model_commands=settings.unsandboxed_model_commands, problem=problem)
    return Sandbox()


async def _try(sandbox: Sandbox, sessions: Path) -> str:
    """Return what is wrong with the sandbox, empty if it can run a command."""
    with tempfile.TemporaryDirectory(dir=sessions, prefix="probe-") as place:
        folders = Folders(Path(place) / "session")
        folders.make()
        return await _run((*sandbox.prefix(folders), "/bin/sh", "-c", "echo works > works && test -e /proc/self"))


async def _run(arguments: Sequence[str]) -> str:
    process = await asyncio.create_subprocess_exec(*arguments, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    try:
        _, errors = await asyncio.wait_for(process.communicate(), PROBE_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"a trial run took more than {PROBE_SECONDS:g} s"
    return "" if process.returncode == 0 else errors.decode(errors="replace").strip() or f"exit {process.returncode}"
