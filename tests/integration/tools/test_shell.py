"""Commands, files and HTTP requests, and what is checked of them."""

import time

import msgspec
import pytest
from driving import PASSWORD, User
from served import Site

from muster_protocol.causes import Failure
from muster_protocol.session_responses import ExecDone, Unreached
from muster_subagent.tools.long_texts import kept
from muster_subagent.tools.shell_tools import kept_of


async def test_a_command_shows_exit_code_and_output(do: User) -> None:
    outcome = await do.ok("execute_command", command="echo hello; echo oops >&2")
    assert outcome.confirmed
    assert outcome.text.startswith("Exit code 0 after")
    assert outcome.text.endswith("hello\nstderr:\noops")
    await do.ok("check_exit_code", code=0)
    await do.ok("check_output", text="hello")
    await do.ok("check_output", text="oops", stream="stderr")
    await do.ok("check_output", text="hello", match="is", stream="stdout")
    await do.ok("check_output", text="Traceback", negate=True)


async def test_a_command_that_fails_is_no_error_but_not_confirmed(do: User) -> None:
    outcome = await do.ok("execute_command", command="echo bad input >&2; exit 3")
    assert not outcome.confirmed
    assert outcome.failure is None
    check = await do.bad("check_exit_code", code=0)
    assert (check.status, check.failure) == ("failed", Failure.EXPECTATION_FALSE)
    assert (check.expected, check.seen) == ("the exit code is 0", '3; it said: "bad input"')
    await do.ok("check_exit_code", code=0, negate=True)
    check = await do.bad("check_output", text="good")
    assert check.seen == '"bad input"'


async def test_a_command_that_does_not_exist_is_the_environments_fault(do: User) -> None:
    outcome = await do.ok("execute_command", command="no-such-program --help")
    assert outcome.failure == Failure.COMMAND_MISSING
    assert "Exit code 127 (command not found)" in outcome.text
    check = await do.bad("check_exit_code", code=0)
    assert (check.status, check.failure) == ("failed", Failure.COMMAND_MISSING)


async def test_a_command_that_was_kept_from_a_host_shows_nothing_that_it_did_not_bring_about(
    do: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = Unreached(why="evil.test:443 is not among the allowed hosts (shop.test)", closed=True)
    done = ExecDone(exit_code=56, stdout="begun", unreached=(closed,))

    async def kept_away(*_given: object) -> ExecDone:
        return done

    monkeypatch.setattr(do.session, "_run", kept_away)
    outcome = await do.ok("execute_command", command="curl https://evil.test")
    assert (outcome.failure, outcome.confirmed) == (Failure.UNREACHABLE, False)
    assert "Not reached: evil.test:443 is not among" in outcome.text.partition("\n")[0]
    assert "add what belongs to it" in outcome.text
    for check, arguments in (
        ("check_exit_code", {"code": 0}),
        ("check_exit_code", {"code": 56}),
        ("check_exit_code", {"code": 0, "negate": True}),
        ("check_output", {"text": "begun"}),
        ("check_output", {"text": "order", "negate": True}),
    ):
        assert (await do.bad(check, **arguments)).failure == Failure.UNREACHABLE, (check, arguments)
    done = msgspec.structs.replace(done, exit_code=0)
    outcome = await do.ok("execute_command", command="curl https://evil.test || true")
    assert (outcome.failure, outcome.confirmed) == (None, True)
    await do.ok("check_exit_code", code=0)
    await do.ok("check_output", text="begun")
    assert (await do.bad("check_output", text="order")).failure == Failure.UNREACHABLE
    done = ExecDone(exit_code=52, unreached=(Unreached(why="127.0.0.1:9 did not answer: Connection refused"),))
    outcome = await do.ok("execute_command", command="curl http://127.0.0.1:9")
    assert "Not reached: 127.0.0.1:9 did not answer: Connection refused." in outcome.text
    assert (await do.bad("check_exit_code", code=0)).failure == Failure.EXPECTATION_FALSE


async def test_a_command_over_its_time_is_stopped(do: User) -> None:
    outcome = await do.bad("execute_command", command="sleep 30", timeout_seconds=0.3)
    assert outcome.failure == Failure.TIMED_OUT
    check = await do.bad("check_exit_code", code=0)
    assert "was stopped at its time limit" in check.seen


async def test_a_background_command_goes_on(do: User) -> None:
    outcome = await do.ok("execute_command", command="sleep 0.1", background=True)
    assert "It runs in the background (process " in outcome.text
    assert outcome.confirmed


async def test_a_secret_reaches_a_command_but_never_its_line(do: User) -> None:
    command = (
        "printf '%s' \"user:${secret:PASSWORD}\" ${secret:PASSWORD} > got; tr '\\0' ' ' < /proc/$$/cmdline; cat got"
    )
    outcome = await do.ok("execute_command", command=command)
    assert (do.session.folder / "got").read_text() == f"user:{PASSWORD}{PASSWORD}"
    assert PASSWORD not in str(outcome)
    assert "$PASSWORD" in outcome.text


async def test_output_that_is_masked_can_still_be_checked_for_the_secret(do: User) -> None:
    masked = ExecDone(exit_code=0, stdout="token: ••••••")
    await do.session.keep("exec", msgspec.json.encode(masked).decode())
    await do.ok("check_output", text="token: ${secret:PASSWORD}")


async def test_a_value_is_data_to_a_command(do: User) -> None:
    do.values = {"name": "a b; touch broken $(touch broken)"}
    await do.ok("execute_command", command="printf '<%s>' ${name} \"${name}\" '${name}' > got")
    assert (do.session.folder / "got").read_text() == f"<{do.values['name']}>" * 3
    await do.ok("check_file", path="broken", absent=True)


async def test_long_output_is_shortened_and_stored_whole(do: User) -> None:
    outcome = await do.ok("execute_command", command="seq 1 5000; echo ${secret:PASSWORD}")
    assert "left out" in outcome.text
    assert len(outcome.text) < 6000
    [artifact] = outcome.artifacts
    stored = do.stored[artifact.name].decode()
    assert stored.startswith("1\n2\n")
    assert "\n4000\n" in stored
    assert PASSWORD not in stored


async def test_of_output_that_was_cut_it_is_said_how_much_is_stored(do: User) -> None:
    done = ExecDone(exit_code=0, stdout="o" * 4000 + "\n… 9 characters left out …\n", stderr="e" * 1000, truncated=True)
    assert kept_of(msgspec.structs.replace(done, truncated=False)) == ""
    text, [stored] = kept(do.ctx, "output", done.stdout + done.stderr, kept_of(done))
    only = "only beginning and end of the output, 5,027 characters (EXEC_OUTPUT_LIMIT), was kept"
    assert text.endswith(f"({only}, and is in {stored.name})")


async def test_files_are_written_read_listed_and_checked(do: User) -> None:
    await do.ok("write_file", path="out/a.txt", content="one\ntwo")
    outcome = await do.ok("read_file", path="out/a.txt")
    assert outcome.text == "out/a.txt, 7 bytes:\none\ntwo"
    assert "out/" in (await do.ok("list_files")).text
    await do.ok("check_file", path="out/a.txt", text="two")
    check = await do.bad("check_file", path="out/a.txt", text="three")
    assert (check.status, check.seen) == ("failed", '"one two"')
    check = await do.bad("check_file", path="out/b.txt")
    assert (check.status, check.seen) == ("failed", 'no such file; out has: "a.txt"')
    await do.ok("check_file", path="out/b.txt", absent=True)
    check = await do.bad("check_file", path="out/a.txt", absent=True)
    assert check.expected == "the file out/a.txt does not exist"
    outcome = await do.bad("read_file", path="../x")
    assert outcome.failure == Failure.INVALID_CALL


async def test_checks_of_commands_need_a_command(do: User) -> None:
    outcome = await do.bad("check_output", text="x")
    assert (outcome.status, outcome.text) == ("error", "no command was run yet in this session")


async def test_an_http_request_is_sent_shown_and_checked(do: User, site: Site) -> None:
    site.say("/api/orders", '{"id": 17, "state": "new"}', status=201)
    outcome = await do.ok(
        "http_request",
        method="post",
        url=f"{site.url}/api/orders",
        body='{"n": 1}',
        headers=["X-Key: ${secret:PASSWORD}"],
    )
    assert outcome.confirmed
    assert outcome.text.startswith(f"POST {site.url}/api/orders answered HTTP 201.")
    sent = site.asked[-1]
    assert (sent.body, sent.headers["x-key"], sent.headers["content-type"]) == (
        '{"n": 1}',
        PASSWORD,
        "application/json",
    )
    await do.ok("check_response", status=201)
    await do.ok("check_response", status=2, match="class")
    await do.ok("check_response_text", text='"id": 17')
    check = await do.bad("check_response", status=200)
    assert (check.expected, check.seen) == ("the response status is 200", f"201 from POST {site.url}/api/orders")
    outcome = await do.ok("remember", name="id", source="response", pattern=r'"id": (\d+)')
    assert outcome.captured == {"id": "17"}


async def test_the_newer_of_page_and_request_is_checked(do: User, site: Site) -> None:
    site.say("/api", "{}", status=404)
    await do.ok("http_request", method="GET", url=f"{site.url}/api")
    await do.ok("check_response", status=404)
    await do.open(site.page("<p>Hello</p>"))
    await do.ok("check_response", status=200)
    await do.ok("check_response_text", text="Hello")
    await do.ok("http_request", method="GET", url="/api")
    await do.ok("check_response", status=404)


async def test_the_newer_is_found_though_the_clocks_of_worker_and_host_differ(
    do: User, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.say("/api", "{}", status=404)
    right = time.time()
    monkeypatch.setattr(time, "time", lambda: right + 900)
    await do.open(site.page("<p>Hello</p>"))
    monkeypatch.setattr(time, "time", lambda: right)
    await do.ok("http_request", method="GET", url="/api")
    await do.ok("check_response", status=404)
    await do.open(site.page("<p>Hello</p>"))
    await do.ok("check_response", status=200)


async def test_a_request_that_nobody_answers_is_unreachable(do: User) -> None:
    outcome = await do.bad("http_request", method="GET", url="http://127.0.0.1:9/")
    assert outcome.failure == Failure.UNREACHABLE
    outcome = await do.bad("http_request", method="GET", url="http://127.0.0.1:9/", headers=["nonsense"])
    assert outcome.failure == Failure.INVALID_CALL
