"""docs/integrate.md and the files it shows."""

import stat

from deployed import ROOT

EXAMPLES = ROOT / "examples/integrate"


def test_scripts_can_be_run_and_name_no_registry() -> None:
    for script in ("submit.sh", "nightly.sh"):
        assert (EXAMPLES / script).stat().st_mode & stat.S_IXUSR
    assert "resolved" not in (EXAMPLES / "javascript/package-lock.json").read_text()


def test_the_page_shows_the_examples_word_for_word() -> None:
    page = (ROOT / "docs/integrate.md").read_text()
    shown = [file for file in sorted(EXAMPLES.rglob("*")) if file.is_file() and file.name != "package-lock.json"]

    missing = [str(file.relative_to(EXAMPLES)) for file in shown if f"\n{file.read_text().rstrip()}\n```" not in page]

    assert missing == []
