"""Make sure that there are the programs some tests ask: those that are there, else Debian's.

Run by `make check-all`, under which a test whose program is missing fails; elsewhere it is skipped. Exits 0 in any
case; what is missing is told here.
"""

import os
import shutil

from install_browser import tried

PROGRAMS = {
    ("prometheus", "promtool"): ("prometheus",),
    ("kubectl",): ("kubectl", "kubernetes-client"),
    ("docker-compose",): ("docker-compose",),
    ("node", "npm"): ("nodejs npm",),
    ("bwrap",): ("bubblewrap",),
    ("debootstrap",): ("debootstrap",),
}
"""Programs that come together, and Debian's packages that have them: the first that there is, by release."""


def missing(programs: tuple[str, ...]) -> list[str]:
    """Return those of the programs that are not there."""
    return [program for program in programs if shutil.which(program) is None]


def main() -> None:
    """Look, then try to install, then say what is left to do."""
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
        said = f"{', '.join(left)} could not be installed; install it." if left else f"{programs[0]}: there"
        print(said)


if __name__ == "__main__":
    main()
