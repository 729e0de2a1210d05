"""What services write for operators."""

import sys

import pytest
import structlog

from muster_protocol.telemetry import configure_logging


def test_a_fault_on_a_console_shows_no_values_of_variables_and_no_escape_of_a_page(capsys: pytest.CaptureFixture[str]):
    before = structlog.get_config()
    try:
        configure_logging("info", "console")
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
        try:
            _fail("".join(("hu", "sh")))
        except ValueError as error:
            structlog.get_logger().error("a request failed", exc_info=error, path="/\x1b[2Jx\nforged")
    finally:
        structlog.configure(**before)
    told = capsys.readouterr().err
    assert "ValueError: page said \\x1b[2J\\u202eevil" in told
    assert "hush" not in told
    assert "\x1b[2J" not in told
    assert "\nforged" not in told


def _fail(_secret: str) -> None:
    raise ValueError("page said \x1b[2J\u202eevil")
