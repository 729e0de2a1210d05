"""Which Chromium a session host starts, and how."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import structlog
from msgspec import Struct
from playwright.async_api import Browser, Playwright
from playwright.async_api import Error as PlaywrightError

from muster_devices.device_host import Spec
from muster_devices.domains import LINK_LOCAL, is_link_local
from muster_devices.errors import DeviceRefused
from muster_devices.web.recorder import downloads_folder, traces_folder
from muster_protocol.causes import Failure

log = structlog.get_logger("muster.sessions")

LAUNCH_SECONDS = 30.0
COMPUTED_ROLES = "--enable-blink-features=ComputedAccessibilityInfo"
"""Lets scripts ask for the role of an element; custom elements tell theirs to the browser alone."""
QUIET = (
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"),
    COMPUTED_ROLES,
    *("--disable-quic", "--disable-gpu", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"),
)
ON_THE_PATH = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MEND = "run `make setup`, or `playwright install chromium`, or install the package chromium-headless-shell"

_HOST = re.compile(r"[\w.-]+")
_ENDS_IN_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$")
"""Such a host is an address, whatever stands before."""


class BrowserMissing(DeviceRefused):
    """No browser can be started on this host; the message says how to mend that."""

    def __init__(self, text: str) -> None:
        super().__init__(text, failure=Failure.INFRASTRUCTURE)


class BrowserOptions(Struct, frozen=True, kw_only=True):
    """How a host starts its browsers and offers them to workers."""

    executable: str = ""
    """Path of a Chromium; empty: Playwright's own, else one on the PATH."""
    headless: bool = True
    sandboxed: bool = True
    """Start Chromium with its own sandbox; for root it never has one."""
    bind: str = "127.0.0.1"
    """Address on which browsers are offered to workers."""
    closed: tuple[str, ...] = ()
    """What pages may never reach, as `host:port`."""
    advertise: str = "127.0.0.1"
    """Name or address under which workers reach this host."""


def launch_arguments(domains: Sequence[str], closed: Sequence[str] = ()) -> list[str]:
    """Return Chromium's arguments; with domains, no other host (nor address) can be reached, by whatever protocol.

    What is `closed` (as `host` or `host:port`) and the machine's own link can never be reached.
    """
    closed_rules = [f"MAP {pattern} ~NOTFOUND" for pattern in (*LINK_LOCAL, *closed)]
    if domains:
        closed_rules.append("MAP * ~NOTFOUND")
    hosts = dict.fromkeys(name for domain in domains for name in _opened_by(domain.removeprefix("*.")))
    return [*QUIET, f"--host-resolver-rules={', '.join((*closed_rules, *(f'EXCLUDE {host}' for host in hosts)))}"]


def _opened_by(domain: str) -> Iterator[str]:
    """Yield the host patterns that a domain opens; Chromium's exclusions take no ports.

    What is excluded from the rules is excluded from all of them, so nothing that covers the machine's own link is: no
    part of its addresses, no name above one of its names, and no pattern or further rule in place of a name.
    """
    host = domain.partition(":")[0].lower()
    if not _HOST.fullmatch(host) or is_link_local(host):
        return
    yield host
    if not _ENDS_IN_NUMBER.search(host) and not any(name.endswith(f".{host}") for name in LINK_LOCAL):
        yield f"*.{host}"


async def start_chromium(playwright: Playwright, options: BrowserOptions, spec: Spec) -> Browser:
    """Start a browser, with its own sandbox if that works here.

    Raises:
        BrowserMissing: there is none, or it does not start.
    """
    executable = find_browser(playwright.chromium.executable_path, options.executable, os.environ)
    confined = options.sandboxed and os.geteuid() != 0

    async def launch(*, confined: bool) -> Browser:
        return await playwright.chromium.launch(
            executable_path=executable,
            headless=options.headless,
            chromium_sandbox=confined,
            args=launch_arguments(spec.domains, options.closed),
            downloads_path=downloads_folder(spec.folder),
            traces_dir=traces_folder(spec.folder),
            env={**os.environ, **spec.environment},
            timeout=LAUNCH_SECONDS * 1000,
            # a signal to the whole process group must not end the browsers before their recordings are stored
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )

    try:
        try:
            return await launch(confined=confined)
        except PlaywrightError:
            if not confined:
                raise
            log.warning("Chromium's own sandbox does not work here; starting Chromium without it")
            return await launch(confined=False)
    except PlaywrightError as error:
        raise BrowserMissing(f"the browser {executable or ''} does not start: {error.message}") from error


def find_browser(
    playwrights_own: str | None, wanted: str, environ: Mapping[str, str], beside: Path = Path(sys.executable).parent
) -> Path | None:
    """Return the browser to launch; None means Playwright's own. One in the virtual environment (`beside`) comes first.

    `playwrights_own` is the path that Playwright's driver names; None if no driver has been started.

    Raises:
        BrowserMissing: there is none.
    """
    if wanted:
        if not Path(wanted).exists():
            raise BrowserMissing(f"BROWSER_EXECUTABLE names {wanted}, which does not exist")
        return Path(wanted)
    if (installed := beside / ON_THE_PATH[0]).exists():
        return installed
    if playwrights_own is not None and _is_there(Path(playwrights_own)):
        return None
    found = (shutil.which(name, path=environ.get("PATH")) for name in ON_THE_PATH)
    for executable in filter(None, found):
        return Path(executable)
    raise BrowserMissing(f"no Chromium was found on the session host: {MEND}")


def _is_there(own: Path) -> bool:
    shells = own.parent.parent.parent.glob("chromium_headless_shell-*/*/*headless*shell*")
    return own.exists() or any(shells)
