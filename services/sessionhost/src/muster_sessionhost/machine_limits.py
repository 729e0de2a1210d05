"""What a session host's machine has run out of: disk, files. It is never the product's fault."""

import os
import resource
from pathlib import Path

from muster_bus.readiness import Problems
from muster_service.exhaustion import EXHAUSTED

FREE_BYTES, FREE_NODES, FREE_PART = 32 * 2**20, 1_000, 20
"""A disk is full with less than this free, or than a twentieth of it, whichever is less; so for its number of files."""
FREE_FILES = 32
"""Files that a session's browser and shell need, at least."""


def find_shortage(folder: Path) -> str:
    """Return what the machine lacks to open a session whose files go into a folder, and what to do; "" if nothing."""
    return full_disk(folder) or _few_files()


def tell_shortage(problems: Problems, folder: Path) -> None:
    """Show on /readyz and to operators whether a host opens no session for what its machine lacks; runs wait."""
    if shortage := find_shortage(folder):
        problems.report("session host", f"it opens no session: {shortage}")
    else:
        problems.resolve("session host")


def full_disk(folder: Path) -> str:
    """Return that the disk of a folder is full, and what to do; "" if it is not."""
    try:
        disk = os.statvfs(folder)
    except OSError as error:
        return f"{folder} cannot be looked at: {(error.strerror or str(error)).lower()}"
    free, size = disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
    if free < min(FREE_BYTES, size // FREE_PART):
        return f"the disk of {folder} is full ({free / 2**20:.1f} MB free): make room, or set SESSIONS_DIR to another"
    if disk.f_files and disk.f_favail < min(FREE_NODES, disk.f_files // FREE_PART):
        return f"the disk of {folder} takes no more files ({disk.f_favail} inodes free): remove some"
    return ""


def _few_files() -> str:
    """Return that this process may hardly open another file; "" if it may."""
    most, used = resource.getrlimit(resource.RLIMIT_NOFILE)[0], _open_files()
    if most == resource.RLIM_INFINITY or most - used >= FREE_FILES:
        return ""
    return f"it has {used} of the {most} files open that it may: raise its limit (nofile, `ulimit -n`)"


def _open_files() -> int:
    try:
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    except OSError as error:
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0] if error.errno in EXHAUSTED else 0
