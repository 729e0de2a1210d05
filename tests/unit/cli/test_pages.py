"""Every link, path and command in the documentation exists."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from muster_cli.cli import muster

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("", "docs", "docs/decisions", "bench", "deploy", "examples", "tests/golden", "protocol", "cli")
PAGES = sorted(
    page
    for pattern in (*(f"{folder}/*.md".lstrip("/") for folder in FOLDERS), "packages/*/*.md", "services/*/*.md")
    for page in ROOT.glob(pattern)
)
TARGETS = frozenset(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
PLACES = tuple(f"{path.name}/" for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", without_code(page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each `muster` command in blocks of shell code and in text."""
    blocks = re.findall(r"^```(?:sh|console)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`((?:\.venv/bin/)?muster [^`]+)`", without_code(text))
    for line in lines:
        found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?muster ([a-z].*)", line)
        if found and (words := shlex.split(found[1].replace("'", ""), comments=True)):
            yield words


def resolved(words: list[str]) -> tuple[click.Command, list[str]]:
    """Return the subcommand that words name, and its arguments."""
    command: click.Command = muster
    rest = words
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.get_command(click.Context(muster), rest[0])
        assert found is not None, f"there is no command {rest[0]!r}: muster {' '.join(words)}"
        command, rest = found, rest[1:]
    return command, rest


def test_the_pages_are_found() -> None:
    assert len(PAGES) > 50


@pages
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = without_code(page.read_text("utf-8"))
    links = re.findall(r"\]\(([^)\s]+)\)|^\[\w+\]: (\S+)", text, re.MULTILINE)
    for link in (inline or reference for inline, reference in links):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pages
def test_every_path_of_the_repository_exists(page: Path) -> None:
    named = re.findall(r"`([\w./-]+)(?:::\w+|:\d+)?`", without_code(page.read_text("utf-8")))
    missing = [path for path in named if path.startswith(PLACES) and not (ROOT / path).exists()]

    assert [path for path in missing if not (page.parent / path).exists()] == []


@pages
def test_every_make_target_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    named = re.findall(r"`make ([a-z-]+)", text) + re.findall(r"^make ([a-z-]+)", text, re.MULTILINE)

    assert set(named) <= TARGETS


@pages
def test_every_command_and_option_exists(page: Path) -> None:
    for words in commands(page.read_text("utf-8")):
        command, arguments = resolved(words)
        known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        used = {word.partition("=")[0] for word in arguments if word.startswith("--")}
        assert used <= known | {"--help"}, words
