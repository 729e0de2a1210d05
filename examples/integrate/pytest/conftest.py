"""Starts the product under test and passes its address to the cases."""

from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

product = ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)


def pytest_muster_variables() -> dict[str, str]:
    """Return variables of the cases."""
    return {"base_url": f"http://127.0.0.1:{product.server_port}"}


def pytest_sessionstart() -> None:
    """Start the product."""
    Thread(target=product.serve_forever, daemon=True).start()


def pytest_sessionfinish() -> None:
    """Stop it."""
    product.shutdown()
