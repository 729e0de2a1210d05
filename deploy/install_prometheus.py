"""Make sure that there is a Prometheus with its promtool, for the tests that ask one: one that is there, else Debian's.

Run by `make check-all`. Exits 0 in any case: without it those tests are skipped; what is missing is told here.
"""

import os
import shutil

from install_browser import tried


def present() -> str:
    """Return the path of prometheus if its promtool is there as well, or ""."""
    return (shutil.which("promtool") and shutil.which("prometheus")) or ""


def main() -> None:
    """Look, then try to install, then say what to do."""
    if not present() and shutil.which("apt-get"):
        sudo = () if os.geteuid() == 0 else ("sudo", "-n")
        tried("Reading Debian's package lists", *sudo, "apt-get", "update", "-qq")
        install = ("install", "-y", "-qq", "--no-install-recommends", "prometheus")
        tried("Installing Debian's Prometheus", *sudo, "apt-get", *install)
    missing = "No Prometheus could be installed, so the tests of alerts and dashboards are skipped; install prometheus."
    print(f"Prometheus: {present()}" if present() else missing)


if __name__ == "__main__":
    main()
