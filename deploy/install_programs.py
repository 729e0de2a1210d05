"""Install missing programs that some tests need, from Debian's packages.

Run by `make check-all`, where a test fails if its program is missing; elsewhere it is skipped. Always exits with 0 and
prints what is missing.
"""

import os
import shutil

from install_browser import tried

PROGRAMS = {
    ("prometheus", "promtool"): ("prometheus",),
    ("kubectl",): ("kubectl", "kubernetes-client"),
    ("docker-compose",): ("docker-compose",),
    ("node", "npm"): ("nodejs npm",),
    ("chromedriver",): ("chromium-driver",),
    ("bwrap",): ("bubblewrap",),
    ("debootstrap",): ("debootstrap",),
    ("tesseract",): ("tesseract-ocr",),
    ("go",): ("golang-go",),
    ("curl", "ldd"): ("curl libc-bin",),
}
"""Programs, and alternative Debian packages that provide them, by release."""


def missing(programs: tuple[str, ...]) -> list[str]:
    """Return the programs that are not on the PATH."""
    return [program for program in programs if shutil.which(program) is None]


def main() -> None:
    """Check, try to install, then print what is missing."""
    wanted = [programs for programs in PROGRAMS if missing(programs)]
    if wanted and shutil.which("apt-get"):
        sudo = () if os.geteuid() == 0 else ("sudo", "-n")
        tried("Reading Debian's package lists", *sudo, "apt-get", "update", "-qq")
        for programs in wanted:
            for packages in PROGRAMS[programs]:
                install = ("install", "-y", "-qq", "--no-install-recommends", *packages.split())
                if tried(f"Installing {' and '.join(programs)}", *sudo, "apt-get", *install):
                    break
    for programs in PROGRAMS:
        left = missing(programs)
        print(f"{', '.join(left)} could not be installed; install it." if left else f"{programs[0]}: found")


if __name__ == "__main__":
    main()
