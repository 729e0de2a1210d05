"""What examples/integrate/submit.sh makes of a gateway that cuts the log, or refuses."""

import json
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from deployed import ROOT
from needed import needs
from programs import Ended, ran

pytestmark = needs("curl")
EXAMPLES = ROOT / "examples/integrate"
VERDICT = {"run": "r1", "status": "pass", "summary": "all well"}
NO_URL = "http://127.0.0.1:1"


@contextmanager
def gateway(verdicts: Sequence[int], *causes: str) -> Generator[str]:
    """Serve runs whose logs end at once, and whose verdicts are answered with these statuses, one after another.

    Without causes it is one run, which passes; else a run a cause, which fails with it.
    """
    left = list(verdicts)
    told = [VERDICT | {"run": f"r{n}", "status": "fail", "cause": cause} for n, cause in enumerate(causes)] or [VERDICT]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.tell(202, {"runs": [{"run": one["run"]} for one in told]})

        def do_GET(self) -> None:
            status = left.pop(0) if self.path.endswith("/verdict") else 200
            verdict = next(one for one in told if f"/runs/{one['run']}/" in self.path)
            self.tell(status, verdict if status == 200 else {"reasons": ["not so"]})

        def tell(self, status: int, answer: object) -> None:
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with served(Handler) as url:
        yield url


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(10)


async def submitted(url: str, **variables: str) -> Ended:
    return await ran("./submit.sh", "cases/hello.yaml", cwd=EXAMPLES, MUSTER_URL=url, **variables)


async def test_a_log_that_is_cut_is_followed_again_until_the_verdict_is_there() -> None:
    with gateway([404, 200]) as url:
        ended = await submitted(url)
    assert ended == Ended(0, "r1 pass  all well\n")


@pytest.mark.parametrize(
    ("causes", "code"), [(("product",), 1), (("environment",), 3), (("product", "agent"), 1), (("agent", "product"), 1)]
)
async def test_only_a_fail_of_the_product_ends_with_1(causes: tuple[str, ...], code: int) -> None:
    with gateway([200] * len(causes), *causes) as url:
        ended = await submitted(url)
    assert ended.code == code


@pytest.mark.parametrize("files", [(), ("nowhere.yaml",)])
async def test_without_a_file_nothing_is_sent(files: tuple[str, ...]) -> None:
    ended = await ran("./submit.sh", *files, cwd=EXAMPLES, MUSTER_URL=NO_URL)
    assert (ended.code, "file of cases" in ended.said) == (2, True)


async def test_without_a_gateway_it_ends_with_2_and_names_the_address() -> None:
    ended = await ran("./submit.sh", "cases/hello.yaml", cwd=EXAMPLES, MUSTER_URL="nothing://here")
    assert (ended.code, "nothing://here: no gateway answers" in ended.said) == (2, True)


async def test_an_answer_of_something_else_is_shown() -> None:
    with served(BaseHTTPRequestHandler) as url:
        ended = await submitted(url)
    assert (ended.code, "refused: <!DOCTYPE HTML" in ended.said) == (2, True)


async def test_a_refusal_ends_the_wait_and_is_told() -> None:
    with gateway([403]) as url:
        ended = await submitted(url)
    assert (ended.code, "r1: no verdict (403)" in ended.said, "not so" in ended.said) == (2, True, True)


async def test_a_run_without_a_verdict_is_waited_for_no_longer_than_asked_for() -> None:
    with gateway([404, 404, 404]) as url:
        ended = await submitted(url, PATIENCE="1")
    assert (ended.code, "r1: no verdict (404)" in ended.said) == (2, True)
