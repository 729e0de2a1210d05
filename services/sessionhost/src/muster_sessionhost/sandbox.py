"""The sandbox of commands: bubblewrap shows them the system's programs read-only, and only the session's folders."""

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
from muster_sessionhost.throwaway_system import SystemCopy, Way, megabytes

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
"""Entries of /etc that commands can read: configuration of programs, no secrets of the machine or its services."""
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/run/systemd/resolve"),
    *(f"/etc/{name}" for name in ETC),
)
"""System paths that commands can read; EXEC_VISIBLE adds more."""
RESOLVING = ("/run/systemd/resolve", "/etc/resolv.conf")
"""Paths of the name service; a socket there would resolve any name for commands that may only use the proxy."""
NO_NAMES = "resolv.conf"
"""File in the control folder that replaces /etc/resolv.conf for commands whose only way out is the proxy."""
PROBE_SECONDS = 10.0
PROBE = "mkdir -p /usr/local/muster-probe /etc/muster-probe"
"""What has to work where commands may change the system."""
UNBOUND = (
    "a session with a workspace runs commands only where bubblewrap can keep them to its paths: install bubblewrap on "
    "the session host (SANDBOX=bwrap)"
)


class SandboxMissing(MusterError):
    """The settings require bubblewrap, and it does not work here."""


class Folders(NamedTuple):
    """The folders of one session, all below `root`."""

    root: Path

    @property
    def work(self) -> Path:
        """The session's directory: holds its files; commands start here."""
        return self.root / "work"

    @property
    def temporary(self) -> Path:
        """The folder that commands see as /tmp."""
        return self.root / "tmp"

    @property
    def control(self) -> Path:
        """Pipes between host and commands; commands cannot create files here."""
        return self.root / "control"

    @property
    def state(self) -> Path:
        """Working directory and variables that one command passes to the next."""
        return self.root / "state"

    @property
    def records(self) -> Path:
        """The device's recordings, hidden from commands."""
        return self.root / "records"

    @property
    def system(self) -> Path:
        """What commands have changed of the system, if they may."""
        return self.root / "system"

    @property
    def workspace(self) -> Path:
        """The session's copy of a workspace, if it has one."""
        return self.root / "workspace"

    @property
    def baseline(self) -> Path:
        """What this host keeps to tell what was changed in the workspace, hidden from commands."""
        return self.root / "baseline"

    def make(self) -> None:
        """Create all folders, accessible only to this user."""
        self.root.mkdir(mode=0o700, parents=True)
        for folder in (self.work, self.work / "home", self.temporary, self.control, self.state, self.records):
            folder.mkdir(mode=0o700)


class Sandbox(NamedTuple):
    """How commands are confined on this host; without `program` they run as plain processes."""

    program: str = ""
    contained: bool = False
    """Whether the operator vouches that this host runs in a container of its own, which confines plain processes."""
    hidden: tuple[Path, ...] = ()
    """Folders whose content commands cannot see."""
    visible: tuple[Path, ...] = ()
    """Folders inside hidden ones that commands can read."""
    blanked: tuple[Path, ...] = ()
    """Files outside hidden folders that commands see as empty."""
    keeps_domains: bool = False
    """Whether commands can be kept to the domains of their case."""
    changes: Way = ""
    """How each session's commands may change the system for themselves; empty: they may not."""

    @property
    def in_words(self) -> str:
        """What commands can change of the machine, in words."""
        if self.changes:
            return "they may install software, in a copy of the system that only this session has"
        return "they see the system read-only, and change the session's folders" if self.program else "no sandbox"

    def system_of(self, folders: Folders) -> SystemCopy | None:
        """Return the system that commands of a session may change; None: they may not."""
        return SystemCopy(folders.system, self.changes, ETC) if self.changes else None

    @property
    def confines(self) -> bool:
        """Whether commands cannot reach beyond their session."""
        return bool(self.program) or self.contained

    def refusal(
        self, asked: Exec, model_commands: Literal["refuse", "ask", "allow"], *, workspace: bool = False
    ) -> SessionError | None:
        """Return why a command must not run here, or None; a model may choose commands only where they are confined.

        `model_commands` can lift that rule; with `ask`, a person must have approved the command. Nothing lifts the rule
        for a session with a `workspace`: only bubblewrap keeps commands to the paths that its holder may use.
        """
        if workspace and not self.program:
            return SessionError(reason="no_sandbox", text=UNBOUND)
        if self.confines or asked.author == "case" or model_commands == "allow":
            return None
        if model_commands == "ask":
            text = f"a person must approve this command, as {NO_SANDBOX}"
            return None if asked.approved else SessionError(reason="needs_approval", text=text)
        text = f"a model chose this command, and {NO_SANDBOX}, or set UNSANDBOXED_MODEL_COMMANDS to ask or allow"
        return SessionError(reason="no_sandbox", text=text)

    def prefix(
        self, folders: Folders, info: int | None = None, workspace: Sequence[str] = (), start: Path | None = None
    ) -> tuple[str, ...]:
        """Return the arguments that run a command in the sandbox; they precede the command's own arguments.

        With `info`, the sandbox gets its own network, and bubblewrap writes its process id to this file descriptor;
        None: the sandbox uses the host's network. `workspace` are the binds of a workspace, `start` is where the
        command begins, by default the session's directory.
        """
        if not self.program:
            return ()
        shown = SYSTEM if info is None else tuple(folder for folder in SYSTEM if folder not in RESOLVING)
        own = self.system_of(folders)
        return (
            *(own.mounting if own else ()),
            self.program,
            *(part for folder in shown for part in ("--ro-bind-try", folder, folder)),
            *(own.binds if own else ()),
            *("--dev", "/dev", "--proc", "/proc"),
            *self._host_files(folders),
            *(part for folder in (folders.work, folders.state) for part in ("--bind", str(folder), str(folder))),
            *("--ro-bind", str(folders.control), str(folders.control)),
            *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"),
            *(() if info is None else ("--ro-bind", str(folders.control / NO_NAMES), "/etc/resolv.conf")),
            *(() if info is None else ("--unshare-net", "--info-fd", str(info))),
            *workspace,
            *("--remount-ro", "/", "--die-with-parent", "--new-session", "--chdir", str(start or folders.work)),
        )

    def apart(self, folders: Folders, workspace: Sequence[str], shown: Sequence[Path]) -> tuple[str, ...]:
        """Return the arguments that run one program over a workspace: with no network, and of the session's folders
        only that for temporary files; `shown` it may read as well."""
        if not self.program:
            return ()
        return (
            *(self.program, *_readable(SYSTEM), "--dev", "/dev", "--proc", "/proc"),
            *self._host_files(folders, shown),
            *workspace,
            *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--cap-drop", "ALL"),
            *("--remount-ro", "/", "--die-with-parent", "--new-session", "--chdir", str(folders.workspace)),
        )

    def _host_files(self, folders: Folders, shown: Sequence[Path] = ()) -> tuple[str, ...]:
        """Return the arguments that hide the host's files, show what is visible and `shown`, and blank credentials."""
        return (
            *(part for folder in self.hidden for part in ("--tmpfs", str(folder))),
            *("--bind", str(folders.temporary), "/tmp"),  # first, as what is shown may be below /tmp
            *_readable(map(str, (*self.visible, *shown))),
            *(part for file in self.blanked for part in ("--ro-bind", "/dev/null", str(file))),
        )

    def environment(self, folders: Folders, host_path: str) -> dict[str, str]:
        """Return the environment of a session's first command; of the host's own variables it uses only the PATH."""
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
        return [it for it in entries if it.startswith("/") and _is_shown(Path(it), self.hidden, self.visible)]


def _is_shown(path: Path, hidden: Iterable[Path], visible: Iterable[Path]) -> bool:
    """Whether commands see a path of the host: what is visible is so in hidden folders, too."""
    covered = (*hidden, Path("/tmp"))  # each session has its own
    return not any(map(path.is_relative_to, covered)) or any(map(path.is_relative_to, visible))


def _readable(places: Iterable[str]) -> tuple[str, ...]:
    return tuple(part for place in places for part in ("--ro-bind-try", place, place))


def hidden_folders(home: Path, working: Path, sessions: Path) -> tuple[Path, ...]:
    """Return the folders that commands must not read, without those nested in others.

    They are all home folders, the host's working directory (unless it holds system folders), secrets and sessions.
    """
    wanted = {Path("/home"), Path("/root"), home, Path("/run/secrets"), sessions}
    if not any(folder.is_relative_to(working) for folder in map(Path, (*SYSTEM_PATH, "/lib", "/etc", "/tmp"))):
        wanted.add(working)
    found = sorted({folder.resolve() for folder in wanted if folder.is_dir()} - {Path("/")})
    return tuple(
        folder for folder in found if not any(folder.is_relative_to(other) for other in found if other != folder)
    )


def _own_credentials(settings: SessionHostSettings) -> tuple[Path, ...]:
    """Return the files with this host's credentials for NATS."""
    named = (settings.nats_credentials, settings.nats_tls_key)
    return tuple(Path(file).resolve() for file in named if file and Path(file).is_file())


async def find_sandbox(settings: SessionHostSettings, sessions: Path, environ: Mapping[str, str]) -> Sandbox:
    """Return the sandbox that the settings ask for and a trial run confirms; without one, log a warning.

    Raises:
        SandboxMissing: the settings require bubblewrap, and it does not work here.
    """
    if settings.system_changes == "throwaway" and settings.sandbox in ("container", "none"):
        raise SandboxMissing(f"SYSTEM_CHANGES=throwaway needs bubblewrap, and SANDBOX is {settings.sandbox}")
    if settings.sandbox == "container":
        return Sandbox(contained=True)
    if settings.sandbox == "none":
        log.warning(NO_SANDBOX, model_commands=settings.unsandboxed_model_commands, problem="SANDBOX=none")
        return Sandbox()
    hidden = hidden_folders(Path(environ.get("HOME", "/root")), Path.cwd(), sessions)
    visible = tuple(Path(entry) for entry in settings.exec_visible.split(os.pathsep) if entry)
    program = shutil.which("bwrap")
    problem = "it is not installed: install the package bubblewrap"
    if program:
        shown = [
            file for file in _own_credentials(settings) if _is_shown(file, hidden, [it.resolve() for it in visible])
        ]
        sandbox = Sandbox(program, hidden=hidden, visible=visible, blanked=tuple(shown))
        problem = await _try(sandbox, sessions)
        if not problem:
            return await _changeable(sandbox, sessions, settings)
    if settings.sandbox == "bwrap":
        raise SandboxMissing(f"SANDBOX=bwrap, but bubblewrap does not work here: {problem}")
    if settings.system_changes == "throwaway":
        raise SandboxMissing(f"SYSTEM_CHANGES=throwaway needs bubblewrap, which does not work here: {problem}")
    log.warning(NO_SANDBOX, model_commands=settings.unsandboxed_model_commands, problem=problem)
    return Sandbox()


async def _changeable(sandbox: Sandbox, sessions: Path, settings: SessionHostSettings) -> Sandbox:
    """Return the sandbox in which commands may change the system, if the settings want that.

    Raises:
        SandboxMissing: neither an overlay nor a copy works here.
    """
    if settings.system_changes == "refuse":
        return sandbox
    no_overlay = await _try(sandbox._replace(changes="overlay"), sessions, PROBE)
    if not no_overlay:
        return sandbox._replace(changes="overlay")
    size = await asyncio.to_thread(megabytes, SystemCopy(sessions, "copy", ETC).folders)
    no_copy = f"the system has {size} MB, and SYSTEM_COPY_MAX_MB allows {settings.system_copy_max_mb}"
    if size <= settings.system_copy_max_mb:
        no_copy = await _try(sandbox._replace(changes="copy"), sessions, PROBE)
        if not no_copy:
            return sandbox._replace(changes="copy")
    raise SandboxMissing(f"SYSTEM_CHANGES=throwaway does not work here; overlay: {no_overlay}; copy: {no_copy}")


async def _try(sandbox: Sandbox, sessions: Path, more: str = "true") -> str:
    """Run commands in the sandbox; return why that fails, or ""."""
    with tempfile.TemporaryDirectory(dir=sessions, prefix="probe-") as place:
        folders = Folders(Path(place) / "session")
        folders.make()
        try:
            await asyncio.to_thread(make_system, sandbox, folders)
        except OSError as error:
            return str(error)
        script = f"echo works > works && test -e /proc/self && {more}"
        return await _run((*sandbox.prefix(folders), "/bin/sh", "-c", script))


def make_system(sandbox: Sandbox, folders: Folders) -> None:
    """Create what commands of a session may change of the system, before the first of them.

    Raises:
        OSError: it cannot be created.
    """
    own = sandbox.system_of(folders)
    if own is not None:
        own.make()


async def _run(arguments: Sequence[str]) -> str:
    process = await asyncio.create_subprocess_exec(*arguments, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    try:
        _, errors = await asyncio.wait_for(process.communicate(), PROBE_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"a trial run took more than {PROBE_SECONDS:g} s"
    return "" if process.returncode == 0 else errors.decode(errors="replace").strip() or f"exit {process.returncode}"
