"""The demo shop: a small web shop to test against. Needs Python 3.11 and nothing else.

    python examples/shop/server.py --port 8000 [--bug total]     # --list-bugs names all faults

Everything it keeps is in memory and belongs to one login, so many tests may use one shop at the same time.
"""

import argparse
import os
import signal
import sys
from typing import NoReturn

import late
import views
from bugs import BUGS, bug, seed
from store import Shop
from web import Router, WebServer

DEFAULT_PASSWORD = "swordfish"


def arguments() -> argparse.Namespace:
    """Return the command line, parsed."""
    parser = argparse.ArgumentParser(description="A small web shop to test against.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port, 0 for a free one (default: %(default)s)")
    parser.add_argument(
        "--bug", choices=BUGS, default="", metavar="NAME", help="serve the shop with this fault built in"
    )
    parser.add_argument("--list-bugs", action="store_true", help="name all faults, and end")
    return parser.parse_args()


def stop(_signal: int, _frame: object) -> NoReturn:
    """End the process at once; requests under way die with their threads."""
    sys.exit(0)


def main() -> None:
    """Serve until told to stop."""
    options = arguments()
    if options.list_bugs:
        print("\n".join(f"{name:<26}{about}" for name, about in BUGS.items()))
        return
    if options.bug:
        seed(options.bug)
    # an empty variable counts as unset: nobody could log in with an empty password
    shop = Shop(password=os.environ.get("SHOP_PASSWORD") or DEFAULT_PASSWORD)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with WebServer((options.host, options.port), Router([*views.routes(shop), *late.routes()])) as server:
        print(f"Demo shop on http://{options.host}:{server.server_port}", flush=True)
        if bug("shop-down"):
            server.server_close()
            signal.pause()
        server.serve_forever()


if __name__ == "__main__":
    main()
