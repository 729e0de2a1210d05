"""Standard streams that whoever started the process has closed (`muster list >&-`, some supervisors)."""

import os
import sys


def open_closed_streams() -> None:
    """Connect each closed standard stream to nothing.

    Otherwise the next file or connection gets its number, and what a program writes to it goes there.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is that of the stream
            os.set_inheritable(handle, True)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))
