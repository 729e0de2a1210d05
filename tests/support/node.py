"""Programs in Node.js for tests: their packages are installed once, from a lock file, into a folder git ignores."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from needed import absent

ROOT = Path(__file__).resolve().parents[2]
NPM_SECONDS = 240


def workplace(source: Path) -> Path:
    """Return a folder with the files of `source` and the packages its lock file names; skips where Node.js is missing."""
    if why := absent(("node", "npm"), os.environ):
        pytest.skip(f"{why}: they run {source.relative_to(ROOT)}")
    locked = (source / "package-lock.json").read_bytes()
    folder = ROOT / ".muster/npm" / hashlib.sha256(locked).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        for file in source.iterdir():
            shutil.copy(file, folder / file.name)
        if not (folder / "installed").exists():
            _install(folder)
    return folder


def _install(folder: Path) -> None:
    command = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=NPM_SECONDS)
    assert done.returncode == 0, done.stderr[-3000:]
    (folder / "installed").touch()


def run_node(folder: Path, script: str, *arguments: str, said: str = "", timeout: float = 60) -> str:
    """Run a script of the folder, tell it something on stdin, and return what it prints; fails with all it said."""
    command = ("node", script, *arguments)
    done = subprocess.run(command, cwd=folder, input=said, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
