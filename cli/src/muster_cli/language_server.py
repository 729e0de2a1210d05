"""The language server: passes findings, completions and hovers of `muster_authoring` to an editor.

A text is read `TYPING` seconds after the last key, in a thread, one text at a time. Completions, hovers and repairs
never wait for that: they use the last reading, as far as it still fits the text.
"""

import asyncio
import logging
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument
from pygls.workspace.position_codec import ServerTextPosition, ServerTextRange

from muster_authoring.case_check import Finding
from muster_authoring.document import Document, form_at, read_document
from muster_authoring.proposals import Proposal, ProposalKind, proposals
from muster_authoring.repairs import repairs
from muster_authoring.sentence_cursor import CaseForm
from muster_authoring.sentence_meanings import meaning_at
from muster_protocol import __version__

TYPING = 0.2
"""Seconds without a keystroke before a text is read."""
MOST_TOLD = 500
"""Maximum number of problems reported for one text."""

log = logging.getLogger(__name__)
_KINDS: dict[ProposalKind, lsp.CompletionItemKind] = {
    "own": lsp.CompletionItemKind.Function,
    "phrase": lsp.CompletionItemKind.Snippet,
    "variable": lsp.CompletionItemKind.Variable,
    "secret": lsp.CompletionItemKind.Constant,
}


class _Known(NamedTuple):
    latest: Document
    good: Document
    """The latest reading that had cases: a text is broken most of the time while it is typed."""


class CaseServer(LanguageServer):
    """A server for the case files of one editor; with `model`, sentences that no phrase reads are hints only."""

    def __init__(self, variables: Collection[str], *, model: bool) -> None:
        super().__init__("muster", __version__)
        self._variables, self._model = variables, model
        self._known: dict[str, _Known] = {}
        self._due: dict[str, float] = {}
        self._reader: asyncio.Task[None] | None = None

    def changed(self, uri: str) -> None:
        """Schedule the reading of a text; if it defines sentences, of all open texts."""
        if (form := _form(uri)) is None:
            return
        others = self.workspace.text_documents if form == "phrases" else ()
        for one in (uri, *others):
            if _form(one):
                self._due[one] = time.monotonic() + TYPING
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read_due())

    def closed(self, uri: str) -> None:
        """Forget a closed text and clear its diagnostics."""
        self._due.pop(uri, None)
        if self._known.pop(uri, None):
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def latest(self, uri: str) -> Document | None:
        """Return the last reading of a text, if there was one."""
        return self._known[uri].latest if uri in self._known else None

    def good(self, uri: str) -> Document | None:
        """Return the last reading that had cases; None if the text can have none."""
        return self._known[uri].good if uri in self._known else read_document(_path(uri), "")

    async def _read_due(self) -> None:
        while self._due:
            uri, due = min(self._due.items(), key=lambda one: one[1])
            if (wait := due - time.monotonic()) > 0:
                await asyncio.sleep(wait)
                continue
            del self._due[uri]
            try:
                await self._read(uri)
            except Exception:
                log.exception("internal error while reading %s", uri)

    async def _read(self, uri: str) -> None:
        opened = self.workspace.text_documents
        if uri not in opened:
            return
        version, lines = opened[uri].version, opened[uri].lines
        texts = {_path(one): text.source for one, text in opened.items()}
        found = await asyncio.to_thread(read_document, _path(uri), opened[uri].source, texts, self._variables)
        if found is None or uri not in opened:
            return
        before = self._known.get(uri)
        self._known[uri] = _Known(found, found if found.cases or before is None else before.good)
        told = [self._diagnostic(lines, one) for one in found.findings[:MOST_TOLD]]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told, version))

    def _diagnostic(self, lines: Sequence[str], one: Finding) -> lsp.Diagnostic:
        severity = lsp.DiagnosticSeverity
        mild = self._model and one.kind == "unread"
        return lsp.Diagnostic(
            range=self.workspace.position_codec.range_to_client_units(lines, _range(one)),
            message=one.text,
            severity=severity.Information if mild else severity.Error,
            code=one.kind,
            source="muster",
        )


def case_server(variables: Collection[str], *, model: bool) -> CaseServer:
    """Return a server with its handlers registered; `start_io` runs it."""
    server = CaseServer(variables, model=model)
    on = server.feature
    on(lsp.TEXT_DOCUMENT_DID_OPEN)(_opened)
    on(lsp.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    on(lsp.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    on(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list(' "{:')))(_complete)
    on(lsp.TEXT_DOCUMENT_HOVER)(_hover)
    on(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))(_repair)
    return server


def _opened(server: CaseServer, params: lsp.DidOpenTextDocumentParams) -> None:
    server.changed(params.text_document.uri)


def _changed(server: CaseServer, params: lsp.DidChangeTextDocumentParams) -> None:
    server.changed(params.text_document.uri)


def _closed(server: CaseServer, params: lsp.DidCloseTextDocumentParams) -> None:
    server.closed(params.text_document.uri)


def _complete(server: CaseServer, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    text, document = server.workspace.get_text_document(params.text_document.uri), server.good(params.text_document.uri)
    if document is None:
        return None
    here = text.position_from_client_units(params.position)
    snippets = _takes_snippets(server.client_capabilities)
    found = proposals(document, _bare(text.lines), here.line, here.character)
    items = [_item(text, here, one, order, snippets=snippets) for order, one in enumerate(found)]
    return lsp.CompletionList(is_incomplete=True, items=items)


def _item(
    text: TextDocument, here: ServerTextPosition, one: Proposal, order: int, *, snippets: bool
) -> lsp.CompletionItem:
    span = ServerTextRange(ServerTextPosition(here.line, one.begin), here)
    return lsp.CompletionItem(
        label=one.label,
        kind=_KINDS[one.kind],
        detail=one.detail,
        documentation=one.about or None,
        sort_text=f"{order:04}",
        filter_text=text.lines[here.line][one.begin : here.character] or one.label,
        insert_text_format=lsp.InsertTextFormat.Snippet if snippets else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(text.range_to_client_units(span), one.snippet if snippets else one.text),
    )


def _hover(server: CaseServer, params: lsp.HoverParams) -> lsp.Hover | None:
    text, document = server.workspace.get_text_document(params.text_document.uri), server.good(params.text_document.uri)
    here = text.position_from_client_units(params.position)
    found = document and meaning_at(document, _bare(text.lines), here.line, here.character)
    if not found:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(content, text.range_to_client_units(_span(*found.span.begin, *found.span.end)))


def _repair(server: CaseServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    uri = params.text_document.uri
    text, document = server.workspace.get_text_document(uri), server.latest(uri)
    if document is None:
        return []
    found = repairs(document, _bare(text.lines), params.range.start.line, params.range.end.line)
    return [
        lsp.CodeAction(
            title=f"Write instead: {one.finding.instead}",
            kind=lsp.CodeActionKind.QuickFix,
            is_preferred=True,
            diagnostics=[told for told in params.context.diagnostics if told.message == one.finding.text],
            edit=lsp.WorkspaceEdit({uri: [lsp.TextEdit(text.range_to_client_units(_range(one.finding)), one.text)]}),
        )
        for one in found
    ]


def _path(uri: str) -> Path:
    return Path(uris.to_fs_path(uri) or "")


def _form(uri: str) -> CaseForm | None:
    return form_at(_path(uri))


def _bare(lines: Sequence[str]) -> list[str]:
    """Return lines without their ends."""
    return [line.rstrip("\r\n") for line in lines]


def _range(one: Finding) -> ServerTextRange:
    return _span(max(one.line, 1), max(one.column, 1), max(one.end_line, 1), max(one.end_column, 1))


def _span(line: int, column: int, end_line: int, end_column: int) -> ServerTextRange:
    return ServerTextRange(ServerTextPosition(line - 1, column - 1), ServerTextPosition(end_line - 1, end_column - 1))


def _takes_snippets(client: lsp.ClientCapabilities) -> bool:
    completion = client.text_document and client.text_document.completion
    item = completion and completion.completion_item
    return bool(item and item.snippet_support)
