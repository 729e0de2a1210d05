"""Installs applications that Muster was not written for, and serves them with or without a fault.

Each comes from PyPI or npm and is installed at the first use, into `bench/wild/apps`.
"""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

APPS = Path(__file__).parent / "wild" / "apps"
PYTHON = APPS / "venv" / "bin" / "python"
STARTED_SECONDS = 90.0
SETTINGS = ("--settings", "node_red_settings.cjs")


class Application(NamedTuple):
    """An application of its own process."""

    command: Sequence[str]
    """`{port}`, `{folder}` (empty, its own) and `{fault}` are filled in."""
    ready: str
    """A path that answers once it has started."""
    address: str = "/"
    """Where it is, with `{fault}` if it reads that from its address."""


APPLICATIONS: Mapping[str, Application] = {
    "django": Application((str(PYTHON), "django_site.py", "{port}", "{folder}", "{fault}"), "/admin/login/", ""),
    "node-red": Application(
        ("node", "node_modules/node-red/red.js", "--port", "{port}", "--userDir", "{folder}", *SETTINGS),
        "/",
        "/?{fault}",
    ),
}


def install() -> None:
    """Install what is not there yet, and build the page of TiddlyWiki.

    Raises:
        subprocess.CalledProcessError: npm, pip or TiddlyWiki fails; its own words are on standard error.
    """
    if not (APPS / "node_modules").is_dir():
        print("installing applications from npm, once", file=sys.stderr)
        options = ("--ignore-scripts", "--no-audit", "--no-fund")
        subprocess.run(["npm", "ci", *options], cwd=APPS, check=True, stdout=subprocess.DEVNULL)
    if not PYTHON.exists():
        print("installing applications from PyPI, once", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", APPS / "venv"], check=True)
        subprocess.run([PYTHON, "-m", "pip", "install", "-q", "-r", APPS / "requirements.txt"], check=True)


def build_tiddlywiki(folder: Path) -> None:
    """Write an empty TiddlyWiki as `tiddlywiki.html`, which seeds the fault that its address names."""
    tiddlywiki = APPS / "node_modules" / "tiddlywiki"
    render = ("--render", "$:/core/save/all", "tiddlywiki.html", "text/plain")
    subprocess.run(
        ["node", tiddlywiki / "tiddlywiki.js", tiddlywiki / "editions/empty", "--output", folder, *render], check=True
    )
    page = folder / "tiddlywiki.html"
    faults = (APPS / "tiddlywiki_faults.js").read_text()
    page.write_text(page.read_text().replace("</body>", f"<script>{faults}</script></body>"))


@asynccontextmanager
async def running(name: str, fault: str) -> AsyncGenerator[str]:
    """Start an application on a port and in a folder of its own, and give its address.

    Raises:
        RuntimeError: it ends, or does not answer in time.
    """
    application, port = APPLICATIONS[name], _free_port()
    with TemporaryDirectory() as folder:
        filled = {"port": str(port), "folder": folder, "fault": fault}
        command = [part.format_map(filled) for part in application.command]
        process = await asyncio.create_subprocess_exec(
            *command, cwd=APPS, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            root = f"http://127.0.0.1:{port}"
            await _answers(process, f"{root}{application.ready}", name)
            yield root + application.address.format_map(filled)
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


def _free_port() -> int:
    with socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


async def _answers(process: asyncio.subprocess.Process, url: str, name: str) -> None:
    async with asyncio.timeout(STARTED_SECONDS):
        while process.returncode is None:
            try:
                with await asyncio.to_thread(urlopen, url, timeout=5):
                    return
            except (URLError, OSError):
                await asyncio.sleep(0.1)
    raise RuntimeError(f"{name} ended before it answered")
