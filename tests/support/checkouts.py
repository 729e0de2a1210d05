"""Folders and repositories that tests have a session host serve."""

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from needed import absent

FILES = {
    "README.md": "# Shop\n\nSells bags.\n",
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "src/shop/cart.py": (
        '"""The cart."""\n\n\nclass Cart:\n    """What a customer buys."""\n\n    def total(self) -> int:\n'
        "        return 0\n\n\ndef empty() -> Cart:\n    return Cart()\n"
    ),
    "src/shop/pay.js": "export function pay(cart) {\n  return cart.total();\n}\n",
    "tests/test_cart.py": "def test_total():\n    assert 1 + 1 == 2\n",
}


def folder_of(place: Path, files: dict[str, str] | None = None) -> Path:
    """Write files into a folder and return it."""
    for name, text in (FILES if files is None else files).items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return place


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody, and return its output; a machine without git skips the test."""
    if why := absent(("git",), os.environ):
        pytest.skip(why)
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@shop.test", "-c", "init.defaultBranch=main")
    done = subprocess.run(("git", *who, "-C", str(folder), *arguments), capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository_of(place: Path, files: dict[str, str] | None = None) -> Path:
    """Make a repository with one commit, and return its folder."""
    folder_of(place, files)
    git(place, "init", "--quiet")
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "--message=First")
    return place


def digest(folder: Path) -> str:
    """Return a digest of all files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(str(path).encode() + path.read_bytes() for path in files)).hexdigest()
