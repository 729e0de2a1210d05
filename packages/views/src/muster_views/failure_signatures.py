"""Signatures that group similar fails: cause, clause, message, page and request. Pure."""

import re
from urllib.parse import urlsplit

from muster_protocol.logs import FailureSite, RunRow
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_views.texts import to_one_line

MESSAGE, CLAUSE, PLACE = 160, 120, 100
"""Characters that are kept of a message, a clause, and a page or request."""

_VOLATILE = re.compile(
    r"https?://[^/\s\"']+"  # the host and port of an address
    r"|\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b"  # ids and digests
    r"|\d+(?:[.,:]\d+)*",
    re.IGNORECASE,
)
_STEP = re.compile(r"^(?:recovery of )?sub-task \d+/\d+ (?:\(.*?\): )?")
"""Which step of which case found a fault says nothing of the fault."""


def site_of(verdict: Verdict) -> FailureSite | None:
    """Return where a run failed; None: it did not, or nothing tells."""
    if verdict.status != "fail":
        return None
    results = [it for it in verdict.results if it.node == verdict.failed_node]
    refuted = _refuting(results[-1]) if results else None
    clause, where, about_request = refuted or (verdict.expected, verdict.where, False)
    place = _path(where or verdict.where)
    site = FailureSite(
        clause=steady(to_one_line(clause))[:CLAUSE],
        page="" if about_request else place,
        request=place if about_request else "",
    )
    return site if site != FailureSite() else None


def failure_signature(row: RunRow) -> str:
    """Return what a fail has in common with others of its kind, without what varies: numbers, ids, hosts."""
    site = row.site or FailureSite()
    message = steady(_STEP.sub("", to_one_line(row.summary)))[:MESSAGE]
    parts = [f"{row.cause}: {message}"]
    parts += [f"({site.clause})"] if site.clause and site.clause not in message else []
    parts += [f"on {site.page}"] if site.page else []
    parts += [f"of {site.request}"] if site.request else []
    return " ".join(parts)


def steady(text: str) -> str:
    """Return a text with `#` for whatever differs from run to run."""
    return _VOLATILE.sub("#", text)


def _refuting(result: SubTaskResult) -> tuple[str, str, bool] | None:
    """Return the clause that a step's evidence refutes, where, and whether that is a request; None: there is none."""
    last = {it.clause: it for it in result.step.evidence}
    return next(
        ((it.clause, it.where, it.about in ("response", "status")) for it in last.values() if not it.passed), None
    )


def _path(where: str) -> str:
    """Return the path of an address, without what varies; "" if it is none."""
    if "://" not in where:
        return ""
    try:
        return steady(urlsplit(where).path or "/")[:PLACE]
    except ValueError:
        return ""
