"""`muster lsp` as editors use it: a process, spoken to over its stdin and stdout."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from waiting import eventually

TAUGHT = 'steps:\n  Log in as {user}:\n    - Type {user} into the "User name" field\n    - Click "Log in"\n'
CASE = """\
name: 😀 A
variables: {base_url: "http://127.0.0.1:8000"}
secrets: [PASSWORD]
steps:
  - action: Log in as "tester" and open the "${base_url}/cart"
    expected: '😀'
  - action: Press Tab
    expected: You ought to find "Thanks"
"""
OPTIONAL = lsp.ClientCapabilities(
    text_document=lsp.TextDocumentClientCapabilities(
        completion=lsp.CompletionClientCapabilities(
            completion_item=lsp.ClientCompletionItemOptions(snippet_support=True)
        )
    )
)


class Editor:
    """One file in an editor: its text, and what the server has told of it."""

    def __init__(self, client: LanguageClient, file: Path) -> None:
        self._client, self._version = client, 0
        self.uri, self.text = file.as_uri(), ""
        self.told: list[lsp.PublishDiagnosticsParams] = []

    async def write(self, text: str) -> list[lsp.Diagnostic]:
        """Open the file with a text, or change all of it, and return what is wrong with that text."""
        self.text, self._version = text, self._version + 1
        if self._version == 1:
            item = lsp.TextDocumentItem(self.uri, "yaml", 1, text)
            self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        else:
            named = lsp.VersionedTextDocumentIdentifier(self._version, self.uri)
            whole = lsp.TextDocumentContentChangeWholeDocument(text)
            self._client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [whole]))
        await eventually(lambda: bool(self.told) and self.told[-1].version == self._version)
        return list(self.told[-1].diagnostics)

    async def completions(self, line: int, text: str) -> list[lsp.CompletionItem]:
        """Write a text into a line (from 0) and return what can follow it."""
        lines = self.text.splitlines()
        lines[line] = text
        await self.write("\n".join(lines) + "\n")
        at = lsp.CompletionParams(lsp.TextDocumentIdentifier(self.uri), lsp.Position(line, units(text)))
        found = await self._client.text_document_completion_async(at)
        assert isinstance(found, lsp.CompletionList)
        return list(found.items)

    async def hover(self, line: int, character: int) -> str:
        """Return what is told where the mouse rests."""
        at = lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri), lsp.Position(line, character))
        found = await self._client.text_document_hover_async(at)
        return found.contents.value if found and isinstance(found.contents, lsp.MarkupContent) else ""

    async def repairs(self, wrong: lsp.Diagnostic) -> list[Any]:
        """Return the quick fixes of a problem."""
        named = lsp.TextDocumentIdentifier(self.uri)
        asked = lsp.CodeActionParams(named, wrong.range, lsp.CodeActionContext([wrong]))
        return list(await self._client.text_document_code_action_async(asked) or [])


@asynccontextmanager
async def editing(folder: Path, *options: str) -> AsyncGenerator[Callable[[str], Editor]]:
    """Start the server, and return what opens a file of the folder; in the end the server has left as it was asked to."""
    client = LanguageClient("tests", "1")
    editors: dict[str, Editor] = {}

    def tell(params: lsp.PublishDiagnosticsParams) -> None:
        editors[params.uri].told.append(params)

    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(tell)

    def opened(name: str) -> Editor:
        editor = Editor(client, folder / name)
        return editors.setdefault(editor.uri, editor)

    await client.start_io(sys.executable, "-m", "muster_cli", "lsp", *options, cwd=folder)
    await client.initialize_async(lsp.InitializeParams(OPTIONAL, root_uri=folder.as_uri()))
    client.initialized(lsp.InitializedParams())
    server = client._server
    assert server
    try:
        yield opened
        await client.shutdown_async(None)
        client.exit(None)
        async with asyncio.timeout(20):
            assert await server.wait() == 0
    finally:
        if server.returncode is None:
            server.kill()
        await client.stop()


def units(text: str) -> int:
    """Return how long a text is as editors count."""
    return len(text.encode("utf-16-le")) // 2


def at(text: str, line: int, part: str) -> lsp.Range:
    """Return where a part of a line (from 0) stands."""
    begin = units(text.splitlines()[line].partition(part)[0])
    return lsp.Range(lsp.Position(line, begin), lsp.Position(line, begin + units(part)))


@pytest.mark.slow
async def test_an_editor_is_told_what_is_wrong_and_what_to_write_instead(tmp_path: Path):
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases/shop.yaml").write_text(TAUGHT)
    async with editing(tmp_path) as opened:
        case = opened("a.yaml")
        wrong = await case.write(CASE)
        assert [one.code for one in wrong] == ["unread", "unread"]
        assert wrong[0].range == at(CASE, 5, "😀")
        assert wrong[1].range == at(CASE, 7, 'You ought to find "Thanks"')
        assert "«You ought to find»" in wrong[1].message

        (repair,) = await case.repairs(wrong[1])
        (edit,) = repair.edit.changes[case.uri]
        assert (edit.range, repair.title) == (wrong[1].range, f"Write instead: {edit.new_text}")
        mended = CASE.replace('You ought to find "Thanks"', edit.new_text)
        assert [one.range.start.line for one in await case.write(mended)] == [5]

        told = await case.hover(4, 16)
        assert "**type**: element `User name`, text `tester`" in told
        assert "`${base_url}/cart`" in told


@pytest.mark.slow
async def test_what_can_be_written_depends_on_where_it_is(tmp_path: Path):
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases/shop.yaml").write_text(TAUGHT)
    async with editing(tmp_path) as opened:
        case = opened("a.yaml")
        await case.write(CASE)
        own = (await case.completions(6, "  - action: Log"))[0]
        assert own.label == "Log in as {user}"
        assert own.text_edit == lsp.TextEdit(at(case.text, 6, "Log"), 'Log in as "${1:user}"')
        claims = {one.label for one in await case.completions(7, "    expected: The ")}
        assert 'The "Save" button is visible' in claims
        assert "Log in as {user}" not in claims
        broken = "    expected: 'The text \"😀 ${"
        assert [one.label for one in await case.completions(7, broken)] == ["base_url", "secret:PASSWORD"]


@pytest.mark.slow
async def test_a_broken_text_is_told_of_and_ends_nothing(tmp_path: Path):
    async with editing(tmp_path, "--model") as opened:
        case = opened("a.yaml")
        assert {one.severity for one in await case.write(CASE)} == {lsp.DiagnosticSeverity.Information}
        for text in (
            "steps: [",
            "steps:\n\t- a",
            "steps: &a [*a]",
            "steps:\n  - \0",
            "cases: {}\nsteps: 1",
            CASE[:-20] + "'",
        ):
            wrong = await case.write(text)
            assert wrong, text
            assert all(one.severity == lsp.DiagnosticSeverity.Error for one in wrong if one.code == "file")
        assert await case.write("services: {}\n") == []
        feature = opened("a.feature")
        assert [one.code for one in await feature.write("Feature: F\n  Scenario: S\n    Wen I open")] == ["file"]
        assert len(await case.write(CASE)) == 3


@pytest.mark.slow
async def test_cases_are_read_again_when_what_is_taught_changes(tmp_path: Path):
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases/shop.yaml").write_text(TAUGHT)
    async with editing(tmp_path) as opened:
        case, taught = opened("a.yaml"), opened("phrases/shop.yaml")
        assert len(await case.write(CASE)) == 2
        wrong = await taught.write(TAUGHT.replace("Click", "Frobnicate"))
        assert [(one.range.start.line, one.range.start.character) for one in wrong] == [(3, 6)]
        await eventually(
            lambda: [one.code for one in case.told[-1].diagnostics] == ["file"]
        )  # not each step that uses it
        assert await taught.write(TAUGHT) == []
        await eventually(lambda: len(case.told[-1].diagnostics) == 2)


def test_the_server_starts_without_fleet_browser_and_model():
    code = (
        "import sys, muster_cli.cli as c, muster_cli.language_server\n"
        "c.muster.get_command(None, 'lsp')\n"
        "print({'nats', 'playwright', 'openai', 'httpx', 'litestar', 'structlog'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
