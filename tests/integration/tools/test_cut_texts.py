"""What is judged on a text of which Muster read or kept a part: what is not in it does not count as missing."""

import pytest
from driving import User
from served import Answer, Site

from muster_protocol.causes import Cause, Failure
from muster_protocol.session_responses import ExecDone
from muster_sessionhost.command_output import Capture
from muster_sessionhost.session_commands import shorten_output
from muster_text.redaction import Redactor

BEGINNING = "started id=17 at 59"
FILL = "x" * 300
END = "9.98 in all\nBUILD OK"


def cut(limit: int = 400) -> ExecDone:
    kept = Capture(limit, Redactor())
    half = limit // 2
    kept.feed(
        f"{'.' * (half - len(BEGINNING))}{BEGINNING}{FILL}{'.' * (half - len(END) - 1)} {END}".encode(), last=True
    )
    return ExecDone(exit_code=0, stdout=kept.text(), truncated=kept.truncated)


async def undecided(do: User, tool: str, **arguments: str | bool) -> None:
    outcome = await do.bad(tool, **arguments)
    assert outcome.failure == Failure.NO_EVIDENCE, (tool, arguments, outcome)
    assert outcome.failure.cause != Cause.PRODUCT


async def test_of_an_output_that_was_cut(do: User, monkeypatch: pytest.MonkeyPatch) -> None:
    done = cut()

    async def run(*_given: object) -> ExecDone:
        return done

    monkeypatch.setattr(do.session, "_run", run)
    await do.ok("execute_command", command="make")
    for text, match in (
        ("started", "contains"),
        ("BUILD OK", "contains"),
        ("BUILD OK", "ends"),
        ("id=\\d+", "matches"),
    ):
        await do.ok("check_output", text=text, match=match)
    for text, match in (("nothing", "contains"), ("at 59", "contains"), ("59$", "matches"), ("^x*$", "matches")):
        await undecided(do, "check_output", text=text, match=match)
    await undecided(do, "check_output", text="error", negate=True)
    await undecided(do, "check_output", text="..", match="is")
    assert (await do.bad("check_output", text="BUILD OK", negate=True)).failure == Failure.EXPECTATION_FALSE
    await undecided(do, "remember", name="n", source="output", pattern="order (.+)")
    await undecided(do, "remember", name="n", source="output", pattern="id=(.+)")
    done = shorten_output(cut(10_000))
    await do.ok("execute_command", command="make again")
    await do.ok("check_output", text="BUILD OK", match="ends")
    await undecided(do, "check_output", text="...", match="starts")


async def test_of_a_response_that_was_cut(do: User, site: Site) -> None:
    body = f"{'.' * 199_980} id=17 total 59.98".ljust(300_000, ".") + " order=4"
    site.answers["/long"] = Answer(body, kind="text/plain")
    await do.ok("http_request", method="GET", url=f"{site.url}/long")
    await do.ok("check_response_text", text="id=17")
    for text, match in (("order=4", "contains"), ("total 59", "contains"), ("59$", "matches"), ("order=4", "ends")):
        await undecided(do, "check_response_text", text=text, match=match)
    for pattern in ("order=(.)", "id=(..)", ""):
        await undecided(do, "remember", name="n", source="response", pattern=pattern)


async def test_of_a_page_that_was_cut(do: User, site: Site) -> None:
    await do.open(site.page("".join(f"<p>line {number}" for number in range(6000)) + "<p>Order A-17"))
    await do.ok("check_text", text="line 7")
    await do.ok("check_text", text="Order A-17")
    await undecided(do, "check_text", text="Order B-1")
    await undecided(do, "check_text", text="Order B-1", absent=True)
    await undecided(do, "remember", name="n", pattern="Order (.+)")
    await undecided(do, "check_response_text", text="Order B-1")
