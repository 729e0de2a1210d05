"""Make sure that there is a Chromium that starts: what is there, else Playwright's own, else Debian's headless shell.

Run by `make setup`. Who may not install packages gets Debian's inside the virtual environment. Exits 0 in any case,
since command-line cases need no browser; what is missing, and how to mend it, is told here and by `muster doctor`.
"""

import os
import subprocess
import sys
from pathlib import Path

from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Error, sync_playwright

from muster_devices.web.chromium import BrowserMissing, find_browser

PACKAGE, LIBRARY = "chromium-headless-shell", "libatomic1"
PLACE = Path(sys.prefix) / "debian"
ROOT = PLACE / "root"
"""Where packages are unpacked for who may not install any."""
WRAPPER = Path(sys.prefix) / "bin" / PACKAGE


def works() -> str:
    """Return the path of the Chromium a session host would launch, or "" if there is none or it does not start."""
    if not starts():
        return ""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        try:
            found = find_browser(own, "", os.environ)
            playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"]).close()
        except (BrowserMissing, Error):
            return ""
        return str(found or own)


def starts() -> bool:
    """Return whether Playwright's driver starts; its Node.js needs a library that a minimal Debian lacks."""
    return (
        subprocess.run((compute_driver_executable()[0], "--version"), check=False, capture_output=True).returncode == 0
    )


def tried(title: str, *command: str) -> bool:
    """Run a command that may fail, and say so in one line."""
    print(f"{title}: {' '.join(command)}", flush=True)
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  did not work: {error}")
        return False
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        print(f"  did not work: {last[0]}")
    return done.returncode == 0


def install(package: str) -> bool:
    """Install a package for all users; takes rights that not everybody has."""
    sudo = () if os.geteuid() == 0 else ("sudo", "-n")
    return tried("Reading Debian's package lists", *sudo, "apt-get", "update", "-qq") and tried(
        f"Installing {package}", *sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", package
    )


def unpack(package: str) -> bool:
    """Unpack a package, with the libraries that this machine lacks, into the virtual environment."""
    lists, archives = PLACE / "lists", PLACE / "archives"
    for folder in (lists, archives):
        (folder / "partial").mkdir(parents=True, exist_ok=True)
    own = (f"Dir::State::Lists={lists}", f"Dir::Cache={PLACE}", f"Dir::Cache::archives={archives}")
    apt = ("apt-get", *(part for it in (*own, "Debug::NoLocking=true") for part in ("-o", it)), "-qq")
    wanted = ("install", "--download-only", "--no-install-recommends", "-y", package)
    if not (tried("Reading Debian's package lists", *apt, "update") and tried(f"Downloading {package}", *apt, *wanted)):
        return False
    for archive in sorted(archives.glob("*.deb")):
        subprocess.run(("dpkg-deb", "-x", archive, ROOT), check=True)
        archive.unlink()
    return True


def wrap(script: Path, program: Path) -> None:
    """Write a script that starts a program with the unpacked libraries and fonts."""
    folders = sorted({library.parent for library in ROOT.rglob("lib*.so*")}, key=lambda folder: len(folder.parts))
    libraries = ":".join(map(str, folders))
    fonts = PLACE / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{ROOT}/usr/share/fonts</dir><cachedir>{PLACE}/fonts</cachedir></fontconfig>")
    script.write_text(
        f'#!/bin/sh\nexport LD_LIBRARY_PATH="{libraries}" FONTCONFIG_FILE="{fonts}"\nexec "{program}" "$@"\n'
    )
    script.chmod(0o755)


def mend_driver() -> None:
    """Give Playwright's driver the library it lacks."""
    if not starts() and not install(LIBRARY) and unpack(LIBRARY):
        node = Path(compute_driver_executable()[0])
        wrap(node, node.rename(node.with_name("node-itself")))


def mend_browser() -> None:
    """Give the session host a Chromium."""
    if not works():
        tried("Downloading a browser", sys.executable, "-m", "playwright", "install", "chromium-headless-shell")
    if not works() and not install(PACKAGE) and unpack(PACKAGE):
        wrap(WRAPPER, ROOT / "usr/lib/chromium" / PACKAGE)


def main() -> None:
    """Look, then try to install, then say what to do."""
    mend_driver()
    mend_browser()
    found = works()
    print(f"Browser: {found}" if found else "No Chromium could be installed; install one, then run this again.")


if __name__ == "__main__":
    main()
