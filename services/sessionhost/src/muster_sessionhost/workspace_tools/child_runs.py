"""Programs that a call runs: bounded in time and output, and without knowledge of this machine."""

import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from muster_sessionhost.workspace_tools.checkout import Checkout, Refused

KEPT = 40_000
"""Bytes of an output, half from its beginning and half from its end."""
VARIABLES = {"LANG": "C.UTF-8", "TERM": "dumb", "CI": "1", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""The same for every program, so that outputs are plain and the same anywhere."""
UNCONFINED = (
    "this needs bubblewrap on the session host: what a repository or its tests run there (hooks, filters, test code) "
    "could otherwise reach beyond the workspace"
)


class Ran(NamedTuple):
    """How a program ended."""

    code: int | None
    """None: it was stopped at its time limit."""
    output: str
    """Both streams, as they came."""
    seconds: float = 0.0
    whole: bool = True
    """Whether nothing was left out of the output."""


def run_program(
    checkout: Checkout,
    arguments: Sequence[str],
    seconds: float,
    more: Mapping[str, str] | None = None,
    *,
    kept: int = KEPT,
) -> Ran:
    """Run a program in the workspace; `more` are further variables, `kept` is how many bytes of its output are wanted.

    Raises:
        Refused: nothing confines it here, or there is no such program.
    """
    if not checkout.confined:
        raise Refused(UNCONFINED)
    began = time.monotonic()
    places = {"PATH": os.environ.get("PATH", os.defpath), "HOME": tempfile.gettempdir()}
    try:
        process = subprocess.Popen(
            arguments,
            cwd=checkout.top,
            env={**places, **VARIABLES, **(more or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise Refused(f"there is no program {arguments[0]!r} in the sandbox of this session host") from None
    output, whole = _collect(process, began + seconds, kept)
    code = process.poll()
    if code is None:
        process.kill()
        process.wait()
    return Ran(code, output, time.monotonic() - began, whole)


def _collect(process: "subprocess.Popen[bytes]", until: float, kept: int) -> tuple[str, bool]:
    """Read what a program writes until it has ended or its time is over, and return it, and whether it is the whole;
    programs that it left behind do not matter."""
    assert process.stdout is not None
    head, tail, dropped = bytearray(), bytearray(), 0
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < until:
            readable = ready.select(timeout=min(0.2, max(0.0, until - time.monotonic())))
            if not readable:
                if process.poll() is not None:
                    break
                continue
            data = os.read(process.stdout.fileno(), 65_536)
            if not data:
                break
            room = kept // 2 - len(head)
            head += data[:room]
            tail += data[room:] if room > 0 else data
            if len(tail) > kept:
                dropped += len(tail) - kept // 2
                del tail[: -kept // 2]
    while process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    left = f"\n… {dropped} bytes left out …\n" if dropped else ""
    return head.decode("utf-8", "replace") + left + tail.decode("utf-8", "replace"), not dropped


def temporary_file(name: str) -> Path:
    """Return a place outside the workspace for what a program is to write."""
    return Path(tempfile.mkdtemp(prefix="muster-")) / name
