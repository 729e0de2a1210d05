"""Make sure that there is a Chromium: one that is there, else Playwright's own, else Debian's headless shell.

Run by `make setup`. Exits 0 in any case, since command-line cases and most tests need no browser; what is missing,
and how to mend it, is told here and by `muster doctor`.
"""

import os
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

from muster_sessionhost.browser import BrowserMissing, find_browser


def present() -> str:
    """Return the path of the Chromium a session host would launch, or ""."""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    try:
        return str(find_browser(own, "", os.environ) or own)
    except BrowserMissing:
        return ""


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


def main() -> None:
    """Look, then try to install, then say what to do."""
    if not present():
        tried("Downloading a browser", sys.executable, "-m", "playwright", "install", "chromium-headless-shell")
    if not present() and shutil.which("apt-get"):
        sudo = () if os.geteuid() == 0 else ("sudo", "-n")
        tried("Reading Debian's package lists", *sudo, "apt-get", "update", "-qq")
        tried("Installing Debian's Chromium", *sudo, "apt-get", "install", "-y", "-qq", "chromium-headless-shell")
    found = present()
    print(f"Browser: {found}" if found else "No Chromium could be installed; install one, then run this again.")


if __name__ == "__main__":
    main()
