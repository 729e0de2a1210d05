"""How a process hands its traces over: what it says of itself, and what it says while nobody takes them."""

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler

from serving import serving

PROGRAM = """
import asyncio
from contextlib import suppress
from opentelemetry import trace
from muster_service.settings import BusSettings
from muster_service.telemetry import configure_logging
from muster_service.tracing import EndedSpan, export_traces, record, run_traceparent, span, task_traceparent

def ended(caller):
    run = run_traceparent("run-1", caller)
    record(EndedSpan(name="task " + caller[-2:], traceparent=task_traceparent(run, "1"), parent=run, began=1.0, ended=2.0))

async def export():
    settings = BusSettings(otel_exporter_otlp_endpoint={url!r}, otel_exporter_otlp_headers={headers!r})
    async with export_traces(settings, "gateway"):
        for flags in ("00", "01"):
            ended("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-" + flags)
        for _ in range({batches}):
            with suppress(ValueError), span("a span", {{}}):
                raise ValueError("hush")
            trace.get_tracer_provider().force_flush()

configure_logging("info", "json")
asyncio.run(export())
"""


def test_what_is_exported_with_which_headers_and_what_is_told_while_the_receiver_takes_nothing():
    asked, bodies = list[dict[str, str]](), list[bytes]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            asked.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(403 if len(asked) <= 2 else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as url:
        headers = "authorization=Bearer%20abc%3D, x-team = blue,x-plain=one two"
        program = PROGRAM.format(url=url, headers=headers, batches=4)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)

    assert len(asked) >= 4
    assert {it["authorization"] for it in asked} == {"Bearer abc="}
    assert (asked[0]["x-team"], asked[0]["x-plain"]) == ("blue", "one two")
    sent = b"".join(bodies)
    assert b"task 01" in sent
    assert b"task 00" not in sent, "its caller does not sample"
    assert b"error.type" in sent
    assert b"ValueError" in sent
    assert b"hush" not in sent
    told = [json.loads(line) for line in done.stderr.splitlines()]
    assert [it["level"] for it in told] == ["warning", "info"], done.stderr
    assert "403" in told[0]["event"] or "Forbidden" in told[0]["event"]
    assert told[1]["event"] == "traces: the receiver accepts them again"
