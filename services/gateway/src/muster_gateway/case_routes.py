"""HTTP routes for stored cases, and for the requirements that they cover."""

import asyncio
from collections.abc import Iterable
from typing import Annotated, TypeVar

from litestar import Response, delete, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from muster_bus.case_store import CaseStore
from muster_cases.case_library import check_case, find_case, find_version, id_of, unknown
from muster_cases.case_loader import SUFFIXES
from muster_gateway.context import Gateway
from muster_gateway.description import case_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import TAKES_CASES
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.security.access_roles import ADMIN, RUNNER, VIEWER
from muster_gateway.submission import read_case_text
from muster_protocol.errors import InvalidRequest
from muster_protocol.stored_cases import CaseFile, CaseVersion, StoredCase
from muster_views.case_coverage import LibraryCase, Requirement, view_library, view_requirements

ENDINGS = {form: suffix for suffix, form in reversed(SUFFIXES.items())}
"""The first ending of each format."""


Limit = Annotated[int | None, QueryParameter(ge=1, le=500, description="Entries on a page; without it, all")]
Cursor = Annotated[str, QueryParameter(description="The `cursor` of the previous page")]
T = TypeVar("T", LibraryCase, Requirement)


class CaseLibrary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The stored cases, by id."""

    cases: tuple[LibraryCase, ...]
    cursor: str = ""
    """Requests the next page; empty on the last one."""


class CaseText(Struct, frozen=True, kw_only=True):
    """One version of a stored case."""

    case: LibraryCase
    version: CaseVersion
    file: str
    text: str
    versions: tuple[CaseVersion, ...]
    """Newest first."""


class PushedVersion(Struct, frozen=True, kw_only=True):
    """The newest version of a case after a push."""

    id: str
    version: CaseVersion
    fresh: bool
    """False: it was the same before."""


class RequirementList(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The requirements that stored cases cover, by id."""

    requirements: tuple[Requirement, ...]
    cursor: str = ""
    """Requests the next page; empty on the last one."""


@get(
    "/cases",
    opt=VIEWER,
    operation_id="listCases",
    summary="List stored cases",
    description="The cases that the fleet keeps, each with its newest version and its newest run.",
    responses=success(CaseLibrary, 200, "The cases", documented.LIBRARY) | failures(400, 503),
)
async def list_cases(
    *,
    gateway: NamedDependency[Gateway],
    suite: Annotated[str, QueryParameter(description="Only cases of this suite")] = "",
    tag: Annotated[str, QueryParameter(description="Only cases with this tag")] = "",
    covers: Annotated[str, QueryParameter(description="Only cases that cover this requirement")] = "",
    limit: Limit = None,
    cursor: Cursor = "",
) -> CaseLibrary:
    """Return the stored cases."""
    found = [
        case
        for case in await _library(gateway)
        if any(
            (not suite or one.suite == suite) and (not tag or tag in one.tags) and (not covers or covers in one.covers)
            for one in case.cases
        )
    ]
    shown, more = cut_page(found, limit, cursor)
    return CaseLibrary(cases=shown, cursor=more)


def cut_page(found: Iterable[T], limit: int | None, cursor: str) -> tuple[tuple[T, ...], str]:
    """Return the entries on a page, by id, and the cursor of the next page, empty after the last one. Pure."""
    after = sorted((one for one in found if one.id > cursor), key=lambda one: one.id)
    shown = tuple(after[:limit])
    return shown, shown[-1].id if len(shown) < len(after) else ""


@get(
    "/cases/{case:str}",
    opt=VIEWER,
    operation_id="showCase",
    summary="Show a stored case",
    description="Its text in its newest version, or in another, and all its versions.",
    responses=success(CaseText, 200, "The case", documented.CASE) | failures(400, 404, 503),
)
async def show_case(
    gateway: NamedDependency[Gateway],
    case: FromPath[str],
    version: Annotated[int, QueryParameter(ge=0, description="Number of the version; 0: the newest")] = 0,
) -> CaseText:
    """Return a version of a stored case."""
    stored = await _find(gateway, case)
    try:
        wanted = find_version(stored, version)
    except InvalidRequest as error:
        raise Refusal(404, *error.reasons) from error
    file, rows = await asyncio.gather(CaseStore(gateway.bus).file(wanted.digest), gateway.listing.all())
    (shown,) = await asyncio.to_thread(view_library, [stored], rows)
    versions = tuple(reversed(stored.versions))
    return CaseText(case=shown, version=wanted, file=file.name, text=file.text, versions=versions)


@put(
    "/cases/{case:str}",
    opt=RUNNER,
    status_code=200,
    operation_class=TAKES_CASES,
    operation_id="pushCase",
    summary="Store a case",
    description="Test cases in YAML, Gherkin or Markdown become the newest version of the case. Nothing is stored if "
    "anything is wrong with them, or if the newest version is another than `replaces`.",
    responses=success(PushedVersion, 200, "The newest version", documented.PUSHED) | failures(400, 409, 413, 415, 503),
)
async def push(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    case: FromPath[str],
    replaces: Annotated[
        str | None, QueryParameter(description="Digest of the version that you have seen; empty: there was none")
    ] = None,
    note: Annotated[str, QueryParameter(max_length=500, description="Why; shown with the version")] = "",
) -> PushedVersion:
    """Store the body as the newest version of a case."""
    text, form = read_case_text(request.headers.get("content-type", ""), await request.body())
    gateway.require_bus()
    file = CaseFile(name=f"{case}{ENDINGS[form]}", text=text)
    store = CaseStore(gateway.bus)
    before = await store.get(id_of(file.name))
    checked = await gateway.parse_in_thread(check_case, replace(file, suite=await _default_suite(gateway, before)))
    caller = request.scope.get("auth")
    by = caller.name if caller is not None else ""
    pushed = await store.push(*checked, by=by, note=note, replaces=replaces)
    return PushedVersion(id=case, version=pushed.case.newest, fresh=pushed.fresh)


@delete(
    "/cases/{case:str}",
    opt=ADMIN,
    operation_id="removeCase",
    summary="Remove a stored case",
    description="It is listed and run no more. Runs of it keep what they have pinned.",
    responses=failures(400, 404, 503),
)
async def remove_case(gateway: NamedDependency[Gateway], case: FromPath[str]) -> Response[None]:
    """Forget a stored case."""
    await _find(gateway, case)
    await CaseStore(gateway.bus).remove(case)
    return Response(None, status_code=204)


@get(
    "/requirements",
    opt=VIEWER,
    operation_id="listRequirements",
    summary="List requirements",
    description="The requirements that stored cases name under `covers`, which cases these are, and how they last "
    "ended: `passed` if all passed in their newest version, `failed` if one failed, else `open`.",
    responses=success(RequirementList, 200, "The requirements", documented.REQUIREMENTS) | failures(400, 503),
)
async def list_requirements(
    gateway: NamedDependency[Gateway], limit: Limit = None, cursor: Cursor = ""
) -> RequirementList:
    """Return all requirements, or a page of them."""
    found = await asyncio.to_thread(view_requirements, await _library(gateway))
    shown, more = cut_page(found, limit, cursor)
    return RequirementList(requirements=shown, cursor=more)


@get(
    "/requirements/{requirement:str}",
    opt=VIEWER,
    operation_id="showRequirement",
    summary="Show which cases cover a requirement",
    responses=success(Requirement, 200, "The requirement", documented.REQUIREMENT) | failures(400, 404, 503),
)
async def show_requirement(gateway: NamedDependency[Gateway], requirement: FromPath[str]) -> Requirement:
    """Return a requirement with the cases that cover it."""
    all_of_them = await asyncio.to_thread(view_requirements, await _library(gateway))
    found = next((one for one in all_of_them if one.id == requirement), None)
    if found is None:
        raise Refusal(404, unknown("requirement", requirement, [one.id for one in all_of_them]))
    return found


async def _library(gateway: Gateway) -> tuple[LibraryCase, ...]:
    gateway.require_bus()
    stored, rows = await asyncio.gather(CaseStore(gateway.bus).all(), gateway.listing.all())
    return await asyncio.to_thread(view_library, stored, rows)


async def _find(gateway: Gateway, id: str) -> StoredCase:
    gateway.require_bus()
    try:
        return find_case(await CaseStore(gateway.bus).all(), id)
    except InvalidRequest as error:
        raise Refusal(404, *error.reasons) from error


async def _default_suite(gateway: Gateway, before: StoredCase | None) -> str:
    """Return the suite of cases that name none: as in the version before."""
    return (await CaseStore(gateway.bus).file(before.newest.digest)).suite if before else ""


HANDLERS = (list_cases, show_case, push, remove_case, list_requirements, show_requirement)
