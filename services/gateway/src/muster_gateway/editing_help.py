"""HTTP route that helps to write a case: completions, how a sentence is read, and replacements for unread ones."""

import os
from pathlib import Path
from typing import Annotated

from litestar import post
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec import Struct

from muster_authoring.document import Document, read_document
from muster_authoring.proposals import Proposal, ProposalKind, proposals
from muster_authoring.repairs import Repair, repairs
from muster_authoring.sentence_meanings import meaning_at
from muster_cases.case_loader import SUFFIXES
from muster_gateway.context import Gateway
from muster_gateway.description import fleet_examples as examples
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import TAKES_CASES
from muster_gateway.problem_details import AnyRequest
from muster_gateway.security.access_roles import RUNNER
from muster_gateway.submission import read_case_text

MOST = 40
"""Maximum number of proposals, and of repairs."""
_NO_FOLDER = Path(os.devnull)
"""Where no sentences of one's own can lie: what is submitted here is read without any."""


class ProposalView(Struct, frozen=True, kw_only=True):
    """A text that can be written at the place asked about."""

    kind: ProposalKind
    label: str
    text: str
    begin: int
    """Column, from 0, from which on the text replaces what stands before the place."""
    detail: str = ""


class RepairView(Struct, frozen=True, kw_only=True):
    """A sentence that is read, for one that is not; lines and columns from 1, the end right after the sentence."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    message: str
    """Why the sentence is not read."""


class EditingHelp(Struct, frozen=True, kw_only=True):
    """Help for one place of a text, and for its sentences that no phrase reads."""

    proposals: tuple[ProposalView, ...]
    meaning: str = ""
    """What the sentence at the place is read as, as Markdown; empty: there is none."""
    repairs: tuple[RepairView, ...] = ()


@post(
    "/cases/assist",
    opt=RUNNER,
    status_code=200,
    operation_class=TAKES_CASES,
    operation_id="assistCases",
    summary="Help to write cases",
    description="Takes cases in YAML, Gherkin or Markdown, broken ones too, and a place in them. Returns what can be "
    "written there, what the sentence there is read as, and sentences to write in place of those that no phrase reads. "
    "Stores nothing.",
    responses=success(EditingHelp, 200, "The help", examples.EDITING_HELP) | failures(400, 413, 415),
)
async def assist(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    line: Annotated[int, QueryParameter(ge=0, description="Line, from 0")],
    column: Annotated[int, QueryParameter(ge=0, description="Column, from 0, in characters")],
) -> EditingHelp:
    """Return help for a place of a text."""
    content_type, body = request.headers.get("content-type", ""), await request.body()
    return await gateway.parse_in_thread(help_at, content_type, body, line, column)


def help_at(content_type: str, body: bytes, line: int, column: int) -> EditingHelp:
    """Return help for a place of a text, line and column from 0. Pure.

    Raises:
        Refusal: 415, the content type is none of a case file.
        InvalidRequest: the body is not UTF-8 text.
    """
    text, form = read_case_text(content_type, body)
    suffix = next(suffix for suffix, known in SUFFIXES.items() if known == form)
    document = read_document(_NO_FOLDER / f"case{suffix}", text)
    if document is None:
        return EditingHelp(proposals=())
    lines = [*text.splitlines(), ""]
    line = min(line, len(lines) - 1)
    return _help_in(document, lines, line, min(column, len(lines[line])))


def _help_in(document: Document, lines: list[str], line: int, column: int) -> EditingHelp:
    meant = meaning_at(document, lines, line, column)
    return EditingHelp(
        proposals=tuple(map(_view_proposal, proposals(document, lines, line, column)[:MOST])),
        meaning=meant.text if meant else "",
        repairs=tuple(map(_view_repair, repairs(document, lines, 0, len(lines))[:MOST])),
    )


def _view_proposal(one: Proposal) -> ProposalView:
    return ProposalView(kind=one.kind, label=one.label, text=one.text, begin=one.begin, detail=one.about)


def _view_repair(one: Repair) -> RepairView:
    found = one.finding
    return RepairView(
        line=found.line,
        column=found.column,
        end_line=found.end_line,
        end_column=found.end_column,
        text=one.text,
        message=found.text,
    )


HANDLERS = (assist,)
