"""The demo shop: a small web shop to test against. Needs Python 3.11 and nothing else.

    python examples/shop/server.py --port 8000 [--bug total]

Everything it keeps is in memory and belongs to one login, so many tests may use one shop at the same time.
"""

import argparse
import os
import signal
import sys
from typing import NoReturn

import late
import views
from store import BUGS, Shop
from web import Router, WebServer

DEFAULT_PASSWORD = "swordfish"


def arguments() -> argparse.Namespace:
    """Return the command line, parsed."""
    parser = argparse.ArgumentParser(description="A small web shop to test against.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port, 0 for a free one (default: %(default)s)")
    parser.add_argument("--bug", choices=BUGS, default="", help="serve the shop with this fault built in")
    return parser.parse_args()


def stop(_signal: int, _frame: object) -> NoReturn:
    """End the process at once; requests under way die with their threads."""
    sys.exit(0)


def main() -> None:
    """Serve until told to stop."""
    options = arguments()
    # an empty variable counts as unset: nobody could log in with an empty password
    shop = Shop(password=os.environ.get("SHOP_PASSWORD") or DEFAULT_PASSWORD, bug=options.bug)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with WebServer((options.host, options.port), Router([*views.routes(shop), *late.routes()])) as server:
        print(f"Demo shop on http://{options.host}:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
