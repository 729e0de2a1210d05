"""What docs/devices.md shows is true."""

import re
from pathlib import Path
from typing import get_args

import pytest

from muster_devices.screens.__main__ import main
from muster_devices.screens.app_loader import AppRefused, load_app
from muster_devices.screens.bundled_apps import BundledApp, bundled_device

PAGE = (Path(__file__).parents[3] / "docs" / "devices.md").read_text("utf-8")
[EXAMPLE] = re.findall(r"```yaml\n(app: greeter\nstart.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("right", "wrong"), [("faults:", "fualts:"), ("go: hello", "go: helo")])
def test_the_errors_on_the_page_are_those_of_the_example(right: str, wrong: str):
    with pytest.raises(AppRefused) as caught:
        load_app(EXAMPLE.replace(right, wrong), "greeter.yaml")
    assert str(caught.value) in PAGE


def test_the_command_on_the_page_says_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "greeter.yaml").write_text(EXAMPLE, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["greeter.yaml"]) == 0
    assert capsys.readouterr().out.strip() in PAGE
    assert main(["greeter.yaml", "missing.yaml"]) == 1


@pytest.mark.parametrize("example", re.findall(r"```yaml\n(- \{.*?)```", PAGE, re.DOTALL))
def test_the_elements_on_the_page_can_be_used(example: str):
    elements = "".join(f"      {line}\n" for line in example.splitlines())
    data = "data: {total: 0, problem: '', backpacks: 0}\n"
    assert load_app(f"app: a\nstart: one\n{data}screens:\n  one:\n    elements:\n{elements}")


@pytest.mark.parametrize("app", get_args(BundledApp))
def test_the_bundled_apps_can_be_used(app: BundledApp):
    device = bundled_device(app)
    assert load_app(device.definition, device.source).app == app


def test_a_file_that_cannot_be_read_is_told_with_what_mends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"app: A\nstart: \xe9\n")
    assert main([str(latin)]) == 1
    assert main([str(tmp_path / "nowhere.yaml")]) == 1
    told = capsys.readouterr().err
    assert "line 2 is not UTF-8 text (byte 0xe9): save the file as UTF-8" in told
    assert "nowhere.yaml: there is no such file" in told
