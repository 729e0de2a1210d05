"""Rules for an overlay in the way of a step: it is closed by its own means, and the verdict mentions it. Pure.

Only what says that it closes, or accepts cookies, is ever clicked, once a step, where the step has done nothing yet; if
that leads elsewhere, the run ends. An overlay that speaks of money, errors or anything risky, or of which the case
itself speaks, is left alone: it may be what is tested.
"""

import re

from msgspec.structs import replace

from muster_exploration.risky_words import risk_in
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.test_case.fails import needs_evaluation
from muster_orchestrator.machine.jobs.test_case.knowledge import case_of, state_of
from muster_protocol.causes import Cause
from muster_protocol.events import RecoveryPlanned
from muster_protocol.kinds import Decision
from muster_protocol.requests import TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Obstacle

CLOSE = frozenset({"close", "dismiss", "×", "✕", "✖", "x", "schließen"})
ACCEPT = frozenset(
    {
        *("accept", "accept all", "accept cookies", "accept all cookies", "allow all", "allow cookies"),
        *("allow all cookies", "akzeptieren", "alle akzeptieren", "alle cookies akzeptieren"),
    }
)
"""Only where the overlay speaks of cookies."""
_COOKIES = re.compile(r"\bcookies?\b", re.IGNORECASE)
_OVERLAYS = re.compile(
    r"\b(?:cookies?|consent|banner|dialog|pop-?up|overlay|modal|newsletter|close[sd]?|dismiss\w*|schließe\w*|hinweis)\b",
    re.IGNORECASE,
)
"""Words by which a case may speak of an overlay; a step that looks for one must find it."""
_TELLING = re.compile(
    r"[$€£¥%]|\b(?:usd|eur|gbp|chf|price|order|cart|checkout|subscri\w+|trial|error|failed|failure|fail|wrong|sorry"
    r"|unable|cannot|could not|denied|invalid|expired|warning|lost|fehler\w*|fehlgeschlagen|ungültig|warnung|preis"
    r"|bestell\w+)\b",
    re.IGNORECASE,
)
"""What an overlay says that must not be clicked away: what costs, and what went wrong."""
_HARMLESS = ("share", "call", "post", "publish", "send", "block", "disable")
"""Risky words that a text about cookies may use: it speaks of its owner's doings, not of a button's."""
_PLAIN_NAME = re.compile(r"[\w .,'&-]{1,60}")
_PLAIN_ADDRESS = re.compile(r"https?://[\w./:?=&%#~+-]{1,500}")
"""What is quoted in a sentence may hold no quote and no placeholder."""


def plan_closings(run: Run) -> tuple[RecoveryPlanned, ...]:
    """Return the recoveries that close a dialog or banner before a failed step is tried again."""
    if not run.policy.recover_by_rule or not run.policy.max_recovery_attempts:
        return ()
    case = case_of(run)
    found: list[RecoveryPlanned] = []
    for node in run.graph.with_status("failing"):
        sentence = _closing_sentence(case, node)
        if sentence and len(run.graph.places) < run.max_subtasks:
            why = f"{node.result.obstacle.words if node.result and node.result.obstacle else ''} is in the way"
            stays = f'The URL is "{node.result.where if node.result else ""}"'
            decision = Decision(action="recover", reason=why, recovery=sentence, recovery_expected=stays)
            found.append(RecoveryPlanned(node=node.plan.id, decision=decision))
    return tuple(found)


def _closing_sentence(case: TestCase, node: Node) -> str:
    """Return the sentence that closes what is in the way of a failed step; empty: nothing is to be closed by rule."""
    result = node.result
    if not needs_evaluation(node) or result is None or result.obstacle is None or node.recoveries or node.patience > 1:
        return ""
    obstacle = result.obstacle
    name = _closing_name(obstacle)
    if not name or _is_spoken_of(case, obstacle) or _tells_something(obstacle):
        return ""
    if not _PLAIN_ADDRESS.fullmatch(result.where):
        return ""
    if not obstacle.name:
        return f'Click the "{name}" button'
    return f'Click the "{name}" button in "{obstacle.name}"' if _PLAIN_NAME.fullmatch(obstacle.name) else ""


def describe_closed(run: Run) -> str:
    """Return what the verdict tells of overlays that were closed by rule, or ""."""
    nodes = (run.graph[id] for id in state_of(run).closings if id in run.graph)
    done = [f"{node.plan.description} (before {node.backtrack_to})" for node in nodes if node.status == "passed"]
    return f"closed by rule, as it was in the way: {', '.join(done)}" if done else ""


def without_blame(run: Run, node: Node, result: SubTaskResult) -> SubTaskResult:
    """Return a result; a closing that finds nothing to click, or leads elsewhere, says nothing of the product."""
    ours = node.plan.id in state_of(run).closings
    return replace(result, cause=Cause.AGENT) if ours and result.cause == Cause.PRODUCT else result


def _closing_name(obstacle: Obstacle) -> str:
    """Return the name of the only button that closes an overlay; one that accepts cookies where none closes."""
    words = ACCEPT if _COOKIES.search(f"{obstacle.name} {obstacle.text}") else frozenset[str]()
    for allowed in (CLOSE, words):
        names = [name for name in obstacle.offers if name.strip().casefold() in allowed]
        if names:
            return names[0].strip() if len(names) == 1 else ""
    return ""


def _is_spoken_of(case: TestCase, obstacle: Obstacle) -> bool:
    """Return whether a case speaks of overlays, or of this one by a word of its name."""
    said = " ".join(case.texts)
    own = [word for word in re.findall(r"[^\W\d_]{4,}", obstacle.name)]
    return _OVERLAYS.search(said) is not None or any(re.search(rf"\b{word}\b", said, re.IGNORECASE) for word in own)


def _tells_something(obstacle: Obstacle) -> bool:
    """Return whether an overlay says something that a person must see, or does something beside closing."""
    if obstacle.role == "alertdialog":
        return True
    said = f"{obstacle.name} {obstacle.text}"
    harmless = _HARMLESS if _COOKIES.search(said) else ("",)
    risky = bool(risk_in(said, harmless)) or any(risk_in(offer) for offer in obstacle.offers)
    return risky or _TELLING.search(said) is not None
