"""Files and folders that a command line names: read and tried before work begins, so that no work is lost for them."""

import os
from collections.abc import Mapping
from pathlib import Path

from muster_protocol.errors import InvalidRequest
from muster_text.unreadable import why_unreadable


def read_named(path: Path, option: str = "", encoding: str = "utf-8") -> str:
    """Return the text of a file; `option` names it in an error.

    Raises:
        InvalidRequest: it cannot be read; says why, and what mends that.
    """
    try:
        return path.read_text(encoding)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest([f"{option} {path}: {why_unreadable(error)}".lstrip()]) from error


def require_writable(path: Path, option: str) -> None:
    """Make sure that a file can be written later; make missing folders.

    Raises:
        InvalidRequest: it cannot.
    """
    require_folder(path.parent, option)
    if path.is_dir():
        raise InvalidRequest([f"{option} {path}: this is a folder; name a file"])
    if path.exists() and not os.access(path, os.W_OK):
        raise InvalidRequest([f"{option} {path}: this file cannot be written"])


def require_folder(folder: Path, option: str) -> None:
    """Make sure that there is a folder into which files can be written.

    Raises:
        InvalidRequest: they cannot.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidRequest([f"{option}: {folder} cannot be made: {error.strerror}"]) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidRequest([f"{option}: no file can be written into {folder}"])


def write_unlike(files: Mapping[Path, str], instead: str) -> None:
    """Write files where there are none; one that is there already may say the same, also with a BOM.

    Raises:
        InvalidRequest: one is there and differs: none is written; `instead` says what to do.
        OSError: one cannot be written.
    """
    differ = [path for path, text in files.items() if path.exists() and read_named(path, encoding="utf-8-sig") != text]
    if differ:
        raise InvalidRequest([f"{path}: {instead}" for path in differ])
    for path, text in files.items():
        write_named(path, text)


def write_named(path: Path, content: str | bytes) -> None:
    """Write a file, with the folders above it.

    Raises:
        OSError: it cannot be written; names the file also where the system does not, as of a full disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
