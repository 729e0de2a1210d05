"""Hides a process's memory and environment from other processes of its user, such as commands without a sandbox."""

import ctypes
import sys

PR_SET_DUMPABLE = 4


def forbid_inspection() -> None:
    """Let nobody but root read this process's memory, environment and open files, or attach a debugger to it (Linux).

    Programs that it starts are not covered.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
