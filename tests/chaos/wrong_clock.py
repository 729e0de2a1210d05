"""Wrong wall clocks of single processes, by libfaketime (Debian: `apt install faketime`); monotonic clocks stay right."""

import sys
from pathlib import Path

FOLDER = Path("/usr/lib")


def library() -> Path | None:
    """Return the library that has to be loaded first; None: this machine lacks it."""
    return next(iter(FOLDER.glob("*/faketime/libfaketimeMT.so.1")), None)


def variables(file: Path) -> dict[str, str]:
    """Return the environment of a process whose clock follows a file; empty where there is no library."""
    found = library()
    if found is None:
        return {}
    set_wrong(file, 0)
    return {
        "LD_PRELOAD": str(found),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_ONLY_CMDS": Path(sys.executable).name,
    }


def set_wrong(file: Path, seconds: int) -> None:
    """Set the clocks that follow a file wrong by so many seconds; they notice within one."""
    fresh = file.with_suffix(".new")
    fresh.write_text(f"{seconds:+d}")
    fresh.rename(file)


def forget(pids: set[int]) -> None:
    """Remove what the library leaves of processes that were killed."""
    for pid in pids:
        for name in (f"faketime_shm_{pid}", f"sem.faketime_sem_{pid}"):
            (Path("/dev/shm") / name).unlink(missing_ok=True)
