"""Describes runs to an assistant, in few words. Pure.

Each text of a page or command becomes one line without control characters, so that none can imitate Muster's own lines.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from muster_api.fleet_api import CaseCheck, Draft
from muster_grammar import Phrase
from muster_protocol.logs import PhoneRow, RunRow, WorkerRow
from muster_protocol.requests import OVER
from muster_protocol.sessions import SessionRow
from muster_views.attempt_views import AttemptView, CallView, NodeDetail, ReplyView
from muster_views.case_coverage import LibraryCase
from muster_views.suite_health import CaseHealth, SuiteHealth
from muster_views.texts import format_seconds, format_usage, to_one_line
from muster_views.views import ClauseView, NodeView, RunView
from muster_views.words import STATES

LINE = 400
"""Most characters of a text that comes from a page, a command or a model."""
_REQUEST = re.compile(r"GET /runs(/[\w.-]+)?(?= lists)")
MOST_CASES = 30
MOST_NODES, MOST_LAST = 100, 20
"""Sub-tasks of a run that are listed, and those of the end that always are."""
MOST_CALLS = 40
"""Most calls of one attempt: the newest ones."""


def name_tools(refusal: str, one: str, many: str) -> str:
    """Return a refusal in which requests for a run and for runs are called by the tools that make them."""
    return _REQUEST.sub(lambda found: one if found.group(1) else many, refusal)


def describe_check(check: CaseCheck) -> str:
    """Return what a check of cases found."""
    if not check.valid:
        return "\n".join(
            ["The cases cannot run:", *(_problem(it.message, it.line, it.column) for it in check.problems)]
        )
    names = ", ".join(f"{case.name!r}" for case in check.cases)
    told = [f"{len(check.cases)} cases are valid: {names}." if len(check.cases) != 1 else f"{names} is valid."]
    if check.unread:
        told += [
            "No phrase reads these sentences; without a model they fail:",
            *(f"- {to_one_line(it)}" for it in check.unread),
        ]
    return "\n".join(told)


def describe_run(view: RunView) -> str:
    """Return a run: its state, why it failed, what it waits for, and its sub-tasks."""
    row = view.run
    lines = [f"{row.run} {_state(row)}: {to_one_line(row.name, LINE)}"]
    if view.verdict is not None:
        used = format_usage(view.verdict.usage)
        lines.append(f"took {format_seconds(view.verdict.duration)}{f', {used}' if used else ''}")
    lines += _failure_lines(view)
    if view.waits_for:
        lines.append(f"waits: {to_one_line(view.waits_for, LINE)}")
    lines += [f"asks ({it.node}): {to_one_line(it.text, LINE)}" for it in view.questions]
    return "\n".join([*lines, *_node_lines(view.nodes)])


def describe_rows(rows: Iterable[RunRow]) -> str:
    """Return runs, one a line."""
    told = [f"{row.run} {_state(row)}: {to_one_line(row.name, 100)}{_suite(row)}" for row in rows]
    return "\n".join(told) or "No run fits."


def describe_step(detail: NodeDetail) -> str:
    """Return a sub-task: each clause with its evidence, and what each attempt did."""
    node = detail.node
    lines = [_describe_node(node)]
    if node.expected_result:
        lines.append(f"expected: {to_one_line(node.expected_result, LINE)}")
    lines += [line for clause in node.clauses for line in _clause_lines(clause)]
    lines += [line for attempt in detail.attempts for line in _attempt_lines(attempt)]
    if node.artifacts:
        lines.append("files: " + ", ".join(to_one_line(name, 200) for name in node.artifacts))
    return "\n".join(lines)


def describe_health(found: SuiteHealth) -> str:
    """Return the health of tests, worst first, and their most frequent fails."""
    lines = [_describe_case(case) for case in found.cases[:MOST_CASES]]
    more = len(found.cases) - MOST_CASES
    lines += [f"… and {more} more tests"] if more > 0 else []
    lines += [f"{it.runs} fails alike: {to_one_line(it.signature, LINE)} ({it.example})" for it in found.clusters[:5]]
    return "\n".join(lines) or "No test has run yet."


def describe_fleet(workers: Iterable[WorkerRow], sessions: Iterable[SessionRow]) -> str:
    """Return the processes of the fleet, their devices, and the sessions that are open."""
    lines = [_describe_worker(worker) for worker in workers]
    lines += [f"session {it.name} ({it.kind}) of {it.run} on {it.host}" for it in sessions]
    return "\n".join(to_one_line(line) for line in lines) or "No process of the fleet is there."


def describe_draft(draft: Draft) -> str:
    """Return a drafted case with what is to be looked at."""
    notes = [*(f"question: {it}" for it in draft.questions), *draft.remarks, *(f"fault: {it}" for it in draft.faults)]
    told = [f"{draft.status}: {to_one_line(draft.summary, LINE)}", *(to_one_line(note, LINE) for note in notes)]
    return "\n".join([*told, "The case:", draft.case] if draft.case else told)


def describe_phrases(found: Iterable[Phrase]) -> str:
    """Return phrases, each with an example."""
    lines = [f"{it.kind}: {it.pattern}\n  e.g. {to_one_line(it.examples[0])}" for it in found]
    return "\n".join(lines) or "No phrase has these words; try fewer, or others."


def _describe_case(case: CaseHealth) -> str:
    suite = f" [{to_one_line(case.suite, 100)}]" if case.suite else ""
    since = f", broken by {case.broken_by}" if case.broken_by else ""
    told = f"{case.failed} of {case.runs} runs failed, {case.flips} flips{since}; newest: {case.newest}"
    return f"{case.health}: {to_one_line(case.name, 100)}{suite}: {told}"


def _describe_worker(worker: WorkerRow) -> str:
    busy = ", ".join(f"{pool} {worker.busy.get(pool, 0)}/{slots} busy" for pool, slots in worker.slots.items())
    devices = f"devices: {', '.join(worker.devices)}" if worker.devices else ""
    phones = ", ".join(_describe_phone(phone) for phone in worker.phones)
    told = (busy, devices, f"phones: {phones}" if phones else "", "; ".join(worker.warnings))
    return "; ".join(filter(None, (f"{worker.service} {worker.id} on {worker.host}", *told)))


def _describe_phone(phone: PhoneRow) -> str:
    return f"{phone.name} ({phone.platform}, {f'in use by {phone.session}' if phone.session else 'free'})"


def _problem(message: str, line: int, column: int) -> str:
    return f"- {f'{line}:{column}: ' if line else ''}{to_one_line(message)}"


def describe_cases(cases: Sequence[LibraryCase], text: str = "") -> str:
    """Return stored cases, each with its id and how it last ended."""
    wanted = text.casefold()
    found = [
        case for case in cases if any(wanted in it.casefold() for it in (case.id, *(one.name for one in case.cases)))
    ]
    lines = [f"{case.id}: {_cases_in(case)}" for case in found[:MOST_CASES]]
    left = [f"({len(found) - MOST_CASES} more)"] if len(found) > MOST_CASES else []
    return "\n".join((*lines, *left)) or "no stored case fits"


def _cases_in(case: LibraryCase) -> str:
    return "; ".join(f"{to_one_line(it.name, 200)} ({it.status or 'not run yet'})" for it in case.cases)


def _state(row: RunRow) -> str:
    if row.status in OVER:
        return f"{row.status.upper()}{f' (cause {row.cause})' if row.cause else ''}"
    done = f", {row.done} of {row.total} sub-tasks done" if row.total else ""
    return f"{STATES[row.status].name.lower()}{done}"


def _suite(row: RunRow) -> str:
    return f" [{to_one_line(row.suite, 100)}]" if row.suite else ""


def _failure_lines(view: RunView) -> list[str]:
    failure = view.failure
    if failure is None:
        return []
    told = (
        ("failed", failure.node),
        ("because", "" if failure.expected else failure.summary),
        ("expected", failure.expected),
        ("seen", failure.seen),
        ("where", failure.where),
        ("cause", f"{failure.cause}: {failure.meaning}" if failure.cause else ""),
        ("evaluator", failure.evaluator),
    )
    return [f"{name}: {to_one_line(text, LINE)}" for name, text in told if text]


def _node_lines(nodes: Sequence[NodeView]) -> Iterator[str]:
    """Yield a line for each sub-task; of very many, those that matter: what has not passed, and the last ones."""
    wanted = range(len(nodes))
    if len(nodes) > MOST_NODES:
        notable = [at for at in wanted if nodes[at].state not in ("passed", "done", "waiting")][:MOST_NODES]
        wanted = sorted({*notable, *range(len(nodes) - MOST_LAST, len(nodes))})
        yield f"({len(nodes) - len(wanted)} of {len(nodes)} sub-tasks left out; get them by their ids)"
    yield from (_describe_node(nodes[at]) for at in wanted)


def _describe_node(node: NodeView) -> str:
    number = f"{node.number}. " if node.number else ""
    label = f"{node.label}: " if node.label else ""
    ended = f" — {to_one_line(node.summary, 200)}" if node.summary and node.state != "passed" else ""
    return f"{'  ' * node.depth}{number}[{node.id}] {node.state}: {label}{to_one_line(node.title, 200)}{ended}"


def _clause_lines(clause: ClauseView) -> list[str]:
    lacks = f" (lacks: {to_one_line(clause.lacks, LINE)})" if clause.lacks else ""
    lines = [f"clause {clause.state}: {to_one_line(clause.shown, LINE)}{lacks}"]
    for evidence in clause.evidence:
        held = "held" if evidence.passed else "did not hold"
        seen = f"; seen: {to_one_line(evidence.seen, LINE)}" if evidence.seen else ""
        lines.append(f"  call {evidence.call}, {evidence.check}: {held}{seen}")
    return lines


def _attempt_lines(attempt: AttemptView) -> list[str]:
    lines = [f"attempt {attempt.attempt}:"]
    moments = attempt.moments
    if len(moments) > MOST_CALLS:
        lines.append(f"  ({len(moments) - MOST_CALLS} earlier calls left out)")
    for moment in moments[-MOST_CALLS:]:
        match moment:
            case CallView():
                lines.append(f"  {moment.number}. {moment.tool}: {moment.status} — {to_one_line(moment.summary, LINE)}")
            case ReplyView():
                lines.append(f"  {moment.number}. model: {to_one_line(moment.text, LINE) or 'calls tools'}")
            case _:
                lines.append(f"  {to_one_line(moment.text, LINE)}")
    return lines
