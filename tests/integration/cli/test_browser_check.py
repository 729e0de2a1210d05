"""What `muster doctor` says of a browser that it starts."""

from pathlib import Path

from muster_cli.doctor_checks import local_checks


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_a_browser_that_does_not_start_is_told_with_its_reason(tmp_path: Path):
    broken = program(tmp_path / "chrome")
    broken.write_text("#!/bin/sh\necho 'no usable sandbox' >&2\nexit 1\n")
    checks = local_checks({"BROWSER_EXECUTABLE": str(broken)}, tmp_path)
    check = next(check for check in checks if check.name == "Chromium")
    assert not check.ok
    assert "does not start: no usable sandbox" in check.detail
