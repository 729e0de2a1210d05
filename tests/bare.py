"""Run the README's two commands on a bare Debian: Python, make and nothing else, in a pid namespace of its own.

    python tests/bare.py                      # as root and as an ordinary user
    python tests/bare.py --user tester --keep /var/tmp/bare -- make test

The root file system comes from debootstrap; what is tried is the working tree without what git ignores. Needs root,
debootstrap and util-linux. Exits 0 if every command did. No process outlives the namespace it ran in.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
PACKAGES = "python3,python3-venv,make,ca-certificates"
COMMANDS = ("make demo", "make test")
HOMES = {"root": "/root", "tester": "/home/tester"}
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
MOUNTS = """
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount -t tmpfs tmpfs "$ROOT/dev/shm"
chmod 1777 "$ROOT/tmp" "$ROOT/dev/shm"
mkdir -p "$ROOT/mnt/host"
cd "$ROOT"
pivot_root . mnt/host
umount -l /mnt/host
setpriv --reuid="$WHO" --regid="$WHO" --init-groups /usr/bin/env -i HOME="$PLACE" LANG=C.UTF-8 \
  PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin SSL_CERT_FILE=$CERTIFICATES PIP_CERT=$CERTIFICATES \
  /bin/sh -c "cd '$PLACE/muster' && $COMMAND" || exit
"""
"""Made in a mount namespace, so that they go with it; no chroot, in which nobody may make user namespaces. The shell
stays as root, the first process of the pid namespace: changing the user would take the signal from it that it gets
when its parent dies."""


def make_root(root: Path) -> None:
    """Make a Debian with Python and make, that reaches package registries as this machine does."""
    release = subprocess.check_output(("sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME"), text=True).strip()
    subprocess.run(
        ("debootstrap", "--variant=minbase", f"--include={PACKAGES}", release, root), check=True, stdout=sys.stderr
    )
    for name in ("/etc/resolv.conf", "/etc/hosts", CERTIFICATES):
        shutil.copy(name, root / name[1:])
    root.chmod(0o755)  # a temporary folder is its owner's alone, and this one becomes everybody's /
    subprocess.run(("chroot", root, "useradd", "--create-home", "tester"), check=True)


def copy_tree(root: Path, user: str) -> None:
    """Put the working tree into a user's home."""
    place = root / HOMES[user][1:] / "muster"
    shutil.rmtree(place, ignore_errors=True)
    listed = subprocess.check_output(("git", "ls-files", "-zco", "--exclude-standard"), cwd=REPOSITORY)
    for name in filter(None, listed.decode().split("\0")):
        if (REPOSITORY / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, place / name)
    subprocess.run(("chroot", root, "chown", "-R", f"{user}:", HOMES[user]), check=True)


def run(root: Path, user: str, command: str) -> int:
    """Run a command as a user of the bare system; every process it started ends with it."""
    values = {"ROOT": str(root), "WHO": user, "PLACE": HOMES[user], "COMMAND": command}
    namespaces = ("unshare", "--pid", "--fork", "--kill-child", "--mount", "--ipc", "--uts")
    bound = ("setpriv", "--pdeathsig", "KILL")  # or what ends this process would leave the bare system running
    environ = os.environ | values | {"CERTIFICATES": CERTIFICATES}
    return subprocess.run((*bound, *namespaces, "sh", "-ec", MOUNTS), env=environ, check=False).returncode


def main() -> int:
    """Try every command as every user, and say how each ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--user", action="append", choices=sorted(HOMES), help="who runs them; default: both")
    parser.add_argument("--keep", type=Path, help="folder of the root file system, made if it is not there, and kept")
    parser.add_argument("command", nargs="*", help=f"default: {', '.join(COMMANDS)}")
    asked = parser.parse_args()
    missing = [program for program in ("debootstrap", "unshare", "chroot") if shutil.which(program) is None]
    if os.geteuid() != 0 or missing:
        print(f"make bare needs root and {', '.join(missing or ['nothing else'])}; apt-get install debootstrap")
        return 2
    root = asked.keep or Path(tempfile.mkdtemp(prefix="muster-bare-"))
    failed: list[str] = []
    try:
        if not (root / "bin").exists():
            make_root(root)
        for user in asked.user or list(HOMES):
            copy_tree(root, user)
            for command in [" ".join(asked.command)] if asked.command else COMMANDS:
                print(f"== {command}, as {user}", flush=True)
                code = run(root, user, command)
                print(f"== {command}, as {user}: exit code {code}", flush=True)
                failed += [f"{command} as {user}"] if code else []
    finally:
        if asked.keep is None:
            shutil.rmtree(root, ignore_errors=True)
    print(f"failed on a bare machine: {', '.join(failed)}" if failed else "all green on a bare machine")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
