"""Ensure a working Chromium: an installed one, else Playwright's own, else Debian's headless shell.

Run by `make setup`. Without the right to install packages, Debian's is unpacked into the virtual environment. Always
exits with 0, since command-line cases need no browser; this script and `muster doctor` say what is missing.
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
"""Where packages are unpacked if they cannot be installed."""
WRAPPER = Path(sys.prefix) / "bin" / PACKAGE


def works() -> str:
    """Return the path of the Chromium that a session host would launch; "" if none works."""
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
    """Run a command; print one line if it fails."""
    print(f"{title}: {' '.join(command)}", flush=True)
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  failed: {error}")
        return False
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        print(f"  failed: {last[0]}")
    return done.returncode == 0


def install(package: str) -> bool:
    """Install a package for all users; needs root."""
    sudo = () if os.geteuid() == 0 else ("sudo", "-n")
    return tried("Reading Debian's package lists", *sudo, "apt-get", "update", "-qq") and tried(
        f"Installing {package}", *sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", package
    )


def unpack(package: str) -> bool:
    """Unpack a package and its missing libraries into the virtual environment."""
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


def fix_driver() -> None:
    """Install the library that Playwright's driver lacks."""
    if not starts() and not install(LIBRARY) and unpack(LIBRARY):
        node = Path(compute_driver_executable()[0])
        wrap(node, node.rename(node.with_name("node-itself")))


def install_chromium() -> None:
    """Install a Chromium for the session host."""
    if not works():
        tried("Downloading a browser", sys.executable, "-m", "playwright", "install", "chromium-headless-shell")
    if not works() and not install(PACKAGE) and unpack(PACKAGE):
        wrap(WRAPPER, ROOT / "usr/lib/chromium" / PACKAGE)


def main() -> None:
    """Check, try to install, then print the result."""
    fix_driver()
    install_chromium()
    found = works()
    print(f"Browser: {found}" if found else "No Chromium could be installed; install one, then run this again.")


if __name__ == "__main__":
    main()
