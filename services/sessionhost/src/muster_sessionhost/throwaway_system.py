"""The system as one session's commands may change it; the changes lie in the session's folder and go with it."""

import shutil
import subprocess
from pathlib import Path
from typing import Literal, NamedTuple

Way = Literal["", "overlay", "copy"]
"""How changes are kept apart: an overlay mount over the system's folders, or a copy. Empty: none are allowed."""

WHOLE = (
    *("/usr", "/opt", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/var/lib/dpkg", "/var/lib/apt", "/var/lib/rpm", "/var/lib/dnf", "/var/lib/pacman"),
)
"""Folders of programs and of package managers."""
EMPTY = ("/var/cache", "/var/log", "/var/tmp")
"""Folders that programs which install something write to; they begin empty."""
APT_AS_ROOT = 'APT::Sandbox::User "root";\n'
"""In the sandbox there is no other user that apt could become."""
_MOUNT = (
    'root=$1; shift; while [ "$1" != -- ]; do set -e; mount -t overlay overlay -o '
    '"lowerdir=$1,upperdir=$root/up$1,workdir=$root/work$1" "$root/now$1"; shift; done; shift; exec "$@"'
)


class SystemCopy(NamedTuple):
    """The changeable system of one session, below `root`."""

    root: Path
    way: Way
    etc: tuple[str, ...]
    """Entries of /etc that commands may read; only these are copied."""

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of programs that there are, without links to others of them."""
        return tuple(folder for folder in WHOLE if Path(folder).is_dir() and not Path(folder).is_symlink())

    def make(self) -> None:
        """Create it; does nothing if it is there.

        Raises:
            OSError: a folder cannot be created.
            CalledProcessError: a folder cannot be copied.
        """
        if self.root.exists():
            return
        parts = ("up", "work", "now") if self.way == "overlay" else ("now",)
        for folder in (*self.folders, *EMPTY):
            for part in parts:
                (self.root / f"{part}{folder}").mkdir(parents=True, exist_ok=True)
        if self.way == "copy":
            for folder in self.folders:
                _copy(Path(folder), self.root / f"now{folder}")
        self._make_etc()

    def _make_etc(self) -> None:
        etc = self.root / "now/etc"
        etc.mkdir()
        for name in (*self.etc, "apt", "dpkg"):
            source, target = Path("/etc") / name, etc / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, symlinks=True, ignore_dangling_symlinks=True, dirs_exist_ok=True)
            elif source.exists():
                shutil.copy2(source, target)
        (etc / "apt/apt.conf.d").mkdir(parents=True, exist_ok=True)
        (etc / "apt/apt.conf.d/99-muster").write_text(APT_AS_ROOT)

    @property
    def binds(self) -> tuple[str, ...]:
        """The arguments of bubblewrap that show it."""
        shown = (*self.folders, *EMPTY, "/etc")
        return tuple(part for folder in shown for part in ("--bind", str(self.root / f"now{folder}"), folder))

    @property
    def mounting(self) -> tuple[str, ...]:
        """The arguments that precede bubblewrap's own: they mount the overlays where only the sandbox sees them."""
        if self.way != "overlay":
            return ()
        private = ("unshare", "--mount", "--propagation", "private")
        return (*private, "sh", "-c", _MOUNT, "sh", str(self.root), *self.folders, "--")


def megabytes(folders: tuple[str, ...]) -> int:
    """Return how much a copy of folders takes, in MB."""
    found = subprocess.run(["du", "-smcx", *folders], capture_output=True, text=True, check=False)
    return int(found.stdout.split()[-2]) if found.stdout else 0


def _copy(source: Path, target: Path) -> None:
    """Copy a folder with its links; what cannot be read is left out, as it is not there for commands either."""
    subprocess.run(["cp", "-a", "--reflink=auto", f"{source}/.", str(target)], capture_output=True, check=False)
