"""Faults of a model's endpoint: each ends in bounded time, is told as what it is, and is asked again only if that helps."""

import json
import socket
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate

import pytest
from model_server import Answer, Asked, does, model_server, refuses, says

from muster_model import ModelError, Models, ModelSettings, ModelUnusable, Reply, System, User, connected_models
from muster_model.settings import Tier, tier_of
from muster_service.settings import SettingsError

MESSAGES = (System("You look at a page."), User("What do you see?"))
KEY = "sk-0123456789abcdef"


async def ask(url: str, **more: float) -> Reply:
    settings = ModelSettings(
        openai_base_url=url,
        openai_api_key=KEY,
        sub_agent_model="small",
        model_retries=int(more.get("retries", 0)),
        model_timeout_seconds=more.get("seconds", 5.0),
    )
    async with connected_models(settings) as models:
        assert isinstance(models, Models)
        tier = models.tier("sub_agent")
        assert isinstance(tier, Tier)
        return await models.ask(tier, MESSAGES)


def error_of(status: int, body: bytes, **headers: str) -> Answer:
    return Answer(status, body, tuple((name.replace("_", "-"), value) for name, value in headers.items()))


QUOTA = b'{"error": {"message": "no quota left", "code": "insufficient_quota"}}'
PAGE = b"<!doctype html><html><head><title>Sign in</title></head><body>please</body></html>"
LATER = formatdate(time.time() + 7200, usegmt=True)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refuses(401, f"wrong key {KEY}"), r"refuses the key: set OPENAI_API_KEY \(HTTP 401: wrong key …\)$"),
        (refuses(403, "not in your country"), r"check OPENAI_API_KEY \(HTTP 403: not in your country\)$"),
        (refuses(402, "no credits"), r"answers HTTP 402: no credits$"),
        (refuses(451, "not here"), r"answers HTTP 451: not here$"),
        (error_of(407, PAGE), r"answers HTTP 407: a web page “Sign in”$"),
        (error_of(200, PAGE, Content_Type="text/html"), r"no.* chat-completions API: .*web page “Sign in”\)$"),
        (error_of(429, QUOTA, Retry_After="0.1"), r"answers HTTP 429: no quota left$"),
        (refuses(429, "busy", Retry_After="3600"), r"busy; it asks to wait 3,600 s, so it is not asked again$"),
        (refuses(429, "busy", Retry_After=LATER), r"busy; it asks to wait \S+ s, so it is not asked again$"),
        (error_of(302, b"", Location="https://login.example/?token=1"), r"redirects to https://login\.example/: set"),
        (error_of(307, b"", Location="/v1/chat/completions"), r"redirects to /v1/chat/completions: set OPENAI_BASE"),
        (says("y" * 500_000), r"answers with more than 400 kB.*: check OPENAI_BASE_URL$"),
    ],
)
async def test_what_another_try_cannot_mend_is_final_and_told_in_the_servers_words(answer: Answer, said: str):
    with model_server(lambda _: answer) as server, pytest.raises(ModelUnusable, match=said):
        await ask(server.url)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refuses(500, "out of order"), r"answers HTTP 500: out of order$"),
        (error_of(503, b"<h1>No upstream</h1>"), r"answers HTTP 503: a web page “No upstream”$"),
        (refuses(529, "overloaded"), r"answers HTTP 529: overloaded$"),
        (refuses(429, "busy", Retry_After="9" * 400), r"busy; MODEL_REQUESTS_PER_MINUTE"),
        (Answer(200, b'{"error": {"message": "no room", "code": 502}}'), r"answers with an error: no room$"),
        (Answer(200, b'{"choices": []}'), r"answers without any reply of the model$"),
        (error_of(200, b"\x1f\x8bno", Content_Encoding="gzip"), r"the connection to .* broke off: .*decompress"),
    ],
)
async def test_what_may_pass_is_worth_another_try(answer: Answer, said: str):
    with model_server(lambda _: answer) as server, pytest.raises(ModelError, match=said) as raised:
        await ask(server.url)
    assert not isinstance(raised.value, ModelUnusable)


@contextmanager
def raw_server(parts: Iterator[bytes]) -> Generator[str]:
    """Answer one connection with these bytes, then close it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.recv(65_536)
                for part in parts:
                    connection.sendall(part)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        thread.join(5)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"


async def test_an_answer_that_breaks_off_is_no_server_that_is_not_there():
    told = pytest.raises(ModelError, match=r"the connection to http://127\S+ broke off")
    with raw_server(iter([HEAD, b'{"choices": [{"mess'])) as url, told:
        await ask(url)


async def test_an_answer_that_trickles_in_is_given_up_after_the_time_of_a_request():
    left = threading.Event()

    def trickle() -> Iterator[bytes]:
        yield HEAD
        while not left.wait(0.1):
            yield b" "

    started = time.monotonic()
    with raw_server(trickle()) as url:
        with pytest.raises(ModelError, match=r"did not answer within 1 s"):
            await ask(url, seconds=1.0)
        left.set()
    assert time.monotonic() - started < 4


async def test_halves_of_letters_in_a_reply_can_be_stored():
    answer = does(("cl\ud800ick", json.dumps({"element": "\udfff"}, ensure_ascii=False)))
    with model_server(lambda _: says("\ud83d bad")) as one, model_server(lambda _: answer) as other:
        assert (await ask(one.url)).text == "\ufffd bad"
        [call] = (await ask(other.url)).calls
    assert (call.function.name, call.function.arguments) == ("cl\ufffdick", '{"element": "\ufffd"}')


async def test_why_nothing_answers_is_told_without_the_password_of_the_address():
    with pytest.raises(ModelError, match=r"nothing answers at http://no-such-host\.invalid/v1: .*\[Errno") as raised:
        await ask("http://ann:pa55word@no-such-host.invalid/v1")
    assert "pa55word" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    ["127.0.0.1:8000/v1", "htp://host/v1", "http://", "http://host:99999/v1", "http://[::1/v1", " http://host/v1"],
)
def test_an_address_that_is_none_is_refused_with_its_setting(url: str):
    settings = ModelSettings(
        openai_base_url="http://host/v1", vision_base_url=url, vision_model="eye", sub_agent_model="small"
    )
    assert tier_of(settings, "sub_agent")
    with pytest.raises(SettingsError, match=r"`VISION_BASE_URL`: not an address.*http://HOST:PORT/v1"):
        tier_of(settings, "vision")


async def test_a_reply_that_a_filter_keeps_back_says_so():
    def script(_: Asked) -> Answer:
        return says("", finish="content_filter")

    with model_server(script) as server:
        assert (await ask(server.url)).withheld
