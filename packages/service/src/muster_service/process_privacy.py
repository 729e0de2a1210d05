"""Hides a process's memory and environment from its user's other processes, such as commands without a sandbox."""

import ctypes
import sys

PR_SET_DUMPABLE = 4


def forbid_inspection() -> None:
    """On Linux, let only root read this process's memory, environment and open files, or attach a debugger to it.

    This does not cover programs that the process starts. On other systems, do nothing.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
