"""The files of a session. Nothing outside its directory is read or written, whatever links its commands create."""

import contextlib
import os
import stat
from pathlib import Path, PurePosixPath
from typing import Literal

from muster_protocol.session_requests import FileList, FileRead, FileWrite
from muster_protocol.session_responses import Done, FileContent, FileEntries, FileEntry, SessionError, SessionReply
from muster_protocol.sessions import REPLY_LIMIT
from muster_service.exhaustion import EXHAUSTED

FileRequest = FileRead | FileWrite | FileList

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
ENTRIES_LIMIT = 2000


class FileRefused(Exception):
    """A path is invalid or missing; `error` is the reply that says why."""

    def __init__(self, error: SessionError) -> None:
        self.error = error
        super().__init__(error.text)


def use_files(work: Path, request: FileRequest) -> SessionReply:
    """Read, write or list the path in a request.

    Raises:
        FileRefused: see `read_file`, `write_file`, `list_files`.
    """
    match request:
        case FileRead():
            return read_file(work, request.path, request.offset)
        case FileWrite():
            write_file(work, request.path, request.content, request.offset)
            return Done()
        case FileList():
            return list_files(work, request.path)


def read_file(root: Path, path: str, offset: int = 0) -> FileContent:
    """Return a file's bytes from an offset on, at most as many as fit into a reply.

    Raises:
        FileRefused: the file is missing, not a regular file, or outside the session's directory.
    """
    folder, name = _open_parent(root, path, make=False)
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _refused("invalid", f"{path!r} is a folder or a device, not a file")
            file.seek(max(0, offset))
            content = file.read(REPLY_LIMIT)
            return FileContent(content=content, size=status.st_size, truncated=status.st_size > file.tell())
    except OSError as error:
        raise _missing(path, error) from error
    finally:
        os.close(folder)


def write_file(root: Path, path: str, content: bytes, offset: int = 0) -> None:
    """Replace a file's content from an offset on, and create its parent folders; offset 0 also creates the file.

    Raises:
        FileRefused: the file cannot be written, is shorter than the offset, or lies outside the session's directory.
    """
    folder, name = _open_parent(root, path, make=True)
    try:
        made = 0 if offset else os.O_CREAT | os.O_TRUNC
        flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | made
        with os.fdopen(os.open(name, flags, 0o644, dir_fd=folder), "wb") as file:
            if not 0 <= offset <= os.fstat(file.fileno()).st_size:
                raise _refused("invalid", f"{path!r} is shorter than the offset {offset}")
            file.seek(offset)
            file.write(content)
            file.truncate()
    except OSError as error:
        raise _missing(path, error) from error
    finally:
        os.close(folder)


def list_files(root: Path, path: str) -> FileEntries:
    """Return the first 2000 entries of a folder, sorted by name.

    Raises:
        FileRefused: the folder is missing, not a folder, or outside the session's directory.
    """
    folder = _open_folder(root, _inside(root, path), path, make=False)
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)[:ENTRIES_LIMIT]
            return FileEntries(entries=tuple(_entry(entry) for entry in found))
    finally:
        os.close(folder)


def _entry(entry: "os.DirEntry[str]") -> FileEntry:
    is_folder = entry.is_dir(follow_symlinks=False)
    size = 0 if is_folder else entry.stat(follow_symlinks=False).st_size
    return FileEntry(name=entry.name, size=size, folder=is_folder)


def _open_parent(root: Path, path: str, *, make: bool) -> tuple[int, str]:
    """Return a descriptor of the path's parent folder, and the path's last part."""
    inside = _inside(root, path)
    if not inside.parts:
        raise _refused("invalid", f"{path!r} is the session's directory itself, not a file")
    return _open_folder(root, inside.parent, path, make=make), inside.name


def _inside(root: Path, path: str) -> PurePosixPath:
    """Return a path relative to the session's directory, its links resolved."""
    if not path or "\0" in path:
        raise _refused("invalid", "the path is empty or contains a NUL character")
    top = Path(os.path.realpath(root))
    resolved = Path(os.path.realpath(top / path))
    if not resolved.is_relative_to(top):
        raise _refused("invalid", f"{path!r} lies outside the session's directory {root}")
    return PurePosixPath(resolved.relative_to(top))


def _open_folder(root: Path, inside: PurePosixPath, path: str, *, make: bool) -> int:
    """Open a folder without following links, so that a link created after the path was resolved has no effect."""
    folder = os.open(os.path.realpath(root), FOLDER)
    try:
        for part in inside.parts:
            deeper = _step(folder, part, make=make)
            os.close(folder)
            folder = deeper
    except OSError as error:
        os.close(folder)
        raise _missing(path, error) from error
    return folder


def _step(folder: int, part: str, *, make: bool) -> int:
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, 0o755, dir_fd=folder)
    return os.open(part, FOLDER, dir_fd=folder)


def _missing(path: str, error: OSError) -> FileRefused | OSError:
    """Return why a file cannot be used; the error itself if the machine has run out of something."""
    if error.errno in EXHAUSTED:
        return error
    if isinstance(error, FileNotFoundError):
        return _refused("not_found", f"there is no {path!r} in the session's directory")
    return _refused("invalid", f"{path!r} cannot be opened: {(error.strerror or str(error)).lower()}")


def _refused(reason: Literal["invalid", "not_found"], text: str) -> FileRefused:
    return FileRefused(SessionError(reason=reason, text=text))
