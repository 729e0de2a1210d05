"""Fixtures of the system tests."""

import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

LOGIN = """<!doctype html><title>Log in</title>
<form method="post"><label>Password <input name="password" type="password"></label><button>Log in</button></form>"""
WELCOME = """<!doctype html><title>Welcome</title><h1>Welcome</h1><p>You said: {said}</p>
<script>
console.log({quoted})
fetch('/echo', {{method: 'POST', body: JSON.stringify({{password: {quoted}}})}})
</script>"""


@pytest.fixture
def login_page() -> Generator[str]:
    """Serve a page that takes a password, shows it, writes it to the console and sends it on."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(LOGIN)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            said = parse_qs(body).get("password", [""])[0]
            self._answer(WELCOME.format(said=said.replace("&", "&amp;"), quoted=repr(said)))

        def _answer(self, body: str) -> None:
            data = body.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/login"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
