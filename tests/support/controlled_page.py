"""A web page whose progress the test controls: a counter that the server keeps, and a text shown when told to."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = """<!doctype html><title>Counter</title><h1>Counter</h1>
<button onclick="count()">Count</button> <output id="n">Count: 0</output> <p id="go"></p>
<script>
let n = 0
async function count() {
  document.querySelector('#n').textContent = 'Count: ' + ++n
  await fetch('/count', {method: 'POST'})
}
setInterval(async () => {
  const {open} = await (await fetch('/state')).json()
  document.querySelector('#go').textContent = open ? 'Go on' : ''
}, 100)
</script>"""


class ControlledPage:
    """What the page shows and what was done to it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.counted = 0
        self.open = threading.Event()


@contextmanager
def controlled_page() -> Generator[ControlledPage]:
    """Serve the page on a free port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"open": page.open.is_set()}) if self.path == "/state" else PAGE
            self._answer(body, "application/json" if self.path == "/state" else "text/html")

        def do_POST(self) -> None:
            page.counted += 1
            self._answer("{}", "application/json")

        def _answer(self, body: str, kind: str) -> None:
            data = body.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with suppress(ConnectionError):  # the browser was killed
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    page = ControlledPage(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield page
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
