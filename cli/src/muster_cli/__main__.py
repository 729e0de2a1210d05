"""Entry point of the `muster` command."""

import io
import sys

from muster_cli import INTERRUPTED
from muster_service.standard_streams import open_closed_streams

BAD_INPUT = 2


def main() -> None:
    """Run the command line."""
    open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a page's text must not end the command on a narrow encoding
    for number, argument in enumerate(sys.argv[1:], 1):
        if not argument.isascii() and argument.encode(errors="replace").decode() != argument:
            sys.stderr.write(f"muster: argument {number} is not UTF-8 text\n")
            sys.exit(BAD_INPUT)
    try:
        from muster_cli.cli import muster  # noqa: PLC0415 - it takes a moment, and may be interrupted, too
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    muster(prog_name="muster")


if __name__ == "__main__":
    main()
