"""What services write for operators."""

import json
import logging
import os
import sys

import pytest
import structlog

from muster_service.log_secrets import hide_in_logs, mask_event
from muster_service.telemetry import Identity, configure_logging
from muster_text.masking import MASK


def test_a_fault_on_a_console_shows_no_values_of_variables_and_no_escape_of_a_page(capsys: pytest.CaptureFixture[str]):
    before = structlog.get_config()
    try:
        configure_logging("info", "console")
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
        try:
            _fail("".join(("hu", "sh")))
        except ValueError as error:
            structlog.get_logger().error("request failed", exc_info=error, path="/\x1b[2Jx\nforged")
    finally:
        structlog.configure(**before)
    told = capsys.readouterr().err
    assert "ValueError: page said \\x1b[2J\\u202eevil" in told
    assert "hush" not in told
    assert "\x1b[2J" not in told
    assert "\nforged" not in told


def test_what_a_library_says_is_a_line_of_the_log_in_its_form(capsys: pytest.CaptureFixture[str]):
    before = structlog.get_config()
    try:
        for _ in range(2):  # a second time must not have it told twice
            configure_logging("info", "json")
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr), cache_logger_on_first_use=False)
        with structlog.contextvars.bound_contextvars(run="run-1"):
            logging.getLogger("some.library").warning("%s is %d %% full", "it", 90)
            logging.getLogger("some.library").info("nobody needs this")
    finally:
        structlog.configure(**before)
    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert (told["event"], told["level"]) == ("it is 90 % full", "warning")
    assert (told["logger"], told["run"]) == ("some.library", "run-1")


def test_a_short_secret_leaves_the_names_of_fields_as_they_are():
    hide_in_logs(["v"])
    assert mask_event(None, "info", {"event": "saved v", "level": "info"}) == {
        "event": f"sa{MASK}ed {MASK}",
        "level": "info",
    }


def test_every_line_names_its_process_and_a_line_about_a_run_all_that_is_known(capsys: pytest.CaptureFixture[str]):
    before, identity = structlog.get_config(), Identity("subagent")
    try:
        configure_logging("info", "json", identity)
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr), cache_logger_on_first_use=False)
        structlog.get_logger().info("connecting")
        identity.id = "worker-1"
        with structlog.contextvars.bound_contextvars(run="run-1", node="n1", step=1, actor="step-runner"):
            logging.getLogger("some.library").warning("slow")
            structlog.get_logger().info("taken", id="of its own")
    finally:
        structlog.configure(**before)
    first, *others = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["service"], first["id"].rpartition(":")[2]) == ("subagent", str(os.getpid()))
    assert [line["id"] for line in others] == ["worker-1", "of its own"]
    named = {"service": "subagent", "run": "run-1", "node": "n1", "step": 1, "actor": "step-runner"}
    assert all(line.items() >= named.items() for line in others)


def _fail(_secret: str) -> None:
    raise ValueError("page said \x1b[2J\u202eevil")
