"""The pytest plugin and a gateway that goes away."""

import http.server
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from muster_protocol import codec
from muster_protocol.errors import BusError
from muster_protocol.verdicts import Verdict
from pytest_muster.fleet_access import OverHttp, Place

VERDICT = codec.encode(Verdict(run="r1", name="It works", status="pass"))


class Failing(http.server.BaseHTTPRequestHandler):
    """Answers, hangs up without a word, answers again."""

    asked = 0

    def do_GET(self) -> None:
        Failing.asked += 1
        if Failing.asked == 2:
            self.connection.close()
            return
        known = Failing.asked > 1
        self.send_response(200 if known else 404)
        self.send_header("Content-Length", str(len(VERDICT) if known else 0))
        self.end_headers()
        self.wfile.write(VERDICT if known else b"")

    def log_message(self, *_: object) -> None: ...  # pyright: ignore[reportIncompatibleMethodOverride]


@contextmanager
def failing() -> Generator[str]:
    """Run the server that hangs up once."""
    Failing.asked = 0
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def test_a_gateway_that_was_there_is_asked_again_and_one_that_never_was_is_not() -> None:
    with failing() as address:
        runner = OverHttp(Place(gateway=address, timeout=20.0), "")
        verdict = runner._verdict("r1")
        runner.close()
    assert verdict is not None
    assert verdict.status == "pass"
    assert Failing.asked == 3
    away = OverHttp(Place(gateway=address), "")
    with pytest.raises(BusError, match="no gateway answers"):
        away._verdict("r1")
    away.close()
