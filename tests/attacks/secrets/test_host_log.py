"""A secret never stands in the log of a service, whatever a page or an error says of it."""

import base64
import json
import logging
from pathlib import Path
from urllib.parse import quote

import pytest
import structlog
from session_stage import new_stage, serving_site

from muster_service import log_secrets
from muster_service.telemetry import configure_logging
from muster_text.redaction import Redactor

SECRET = "open sesame/ü&1"
FORMS = (SECRET, quote(SECRET, safe=""), base64.b64encode(SECRET.encode()).decode(), json.dumps(SECRET)[1:-1])


@pytest.fixture(autouse=True)
def forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_secrets, "_known", Redactor())


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_secret_is_masked_in_fields_errors_and_what_libraries_say(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("info", form)
    log_secrets.hide_in_logs([SECRET, ""])
    log = structlog.get_logger("test")
    for text in FORMS:
        log.info(f"event {text}", field=text, listed=[text], nested={text: text})
        log.error("it failed", exc_info=ValueError(text))
        logging.getLogger("library").warning("a library says %s", text)
    written = capsys.readouterr().err
    assert written.count("it failed") == len(FORMS)
    assert [text for text in FORMS if text in written] == []


@pytest.mark.slow
async def test_closing_a_browser_beside_commands_quotes_no_console(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command and a browser in one session: closing it killed the browser, and the error quoted its console."""
    with serving_site() as site:
        async with new_stage(tmp_path) as stage:
            await stage.start_host(sandbox="none", record_console="on")
            for number in range(3):
                stage.run = f"run-{number}"
                await stage.open()
                async with stage.attach(secrets={"PIN": SECRET}) as session:
                    await session.execute("sleep 1000 &", call="c:1", timeout_seconds=5, secrets={})
                    page = await session.page()
                    await page.goto(f"{site}/login")
                    await page.fill("#password", SECRET)
                    await page.click("#json")
                    await page.wait_for_function("document.title == 'Sent'")
                    await page.evaluate("for (let n = 0; n < 200; n++) console.log(password.value + ' typed')")
                await stage.close()
    written = "".join(capsys.readouterr())
    assert written.count("session ends") == 3
    assert "could not" not in written
    assert [text for text in FORMS if text in written] == []
