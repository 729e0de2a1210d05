"""The rules of a conversation: each message of a person is answered by one sub-task that knows what was said before.

Between two messages the run is parked: nobody owns it, and nothing of it is in memory.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node, add_nodes, drop_node
from muster_orchestrator.machine.core.job import End, Job
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.conversation.state import ConversationState
from muster_protocol.assignments import Rights
from muster_protocol.control import Say, Stop
from muster_protocol.conversation_work import ConverseInput, ConverseOutput, Spoken
from muster_protocol.events import ControlApplied, Event
from muster_protocol.journal import Child
from muster_protocol.plans import PlanNode
from muster_protocol.requests import Conversation, Role
from muster_protocol.tasks import Budget, SubTaskResult
from muster_text.text_match import both_ends
from muster_views.chat_view import title_of

MOST_MESSAGES = 40
"""Of those before that the next answer knows of, so that a long chat costs no more."""
LONGEST_MESSAGE = 4_000
"""Characters of one message; a longer one loses its middle."""
MOST_CHARACTERS = 24_000
"""Characters of all messages together."""

DAY = 86_400.0
IDLE_SECONDS = 7 * DAY
"""How long a conversation waits for the next message."""
LONGEST_SECONDS = 25 * DAY
"""After this it ends with the next pause, before its log becomes too old to be kept."""
LONGEST_FIRST = 200
"""Characters kept of the first message."""
TURNS, CALLS, SECONDS = 30, 40, 600.0
"""What one answer may spend if its agent's file says no less."""
RIGHTS: dict[Role, Rights] = {"viewer": Rights(effects=("read", "check")), "runner": Rights(), "admin": Rights()}
"""What an agent may do for whoever has a role; the API checks each call again."""


class ConversationRules(Job):
    """See `Job`. It works in no session: what its agent starts are runs of their own."""

    kinds: ClassVar[Mapping[str, KindRules]]

    def start(self, run: Run) -> ConversationState:
        """A conversation starts without a word."""
        return ConversationState()

    def apply(self, run: Run, event: Event) -> Run:
        """Take a message, or break an answer off."""
        match event:
            case ControlApplied(control=Say() as message):
                state = _state(run)
                first = state.first or message.text.strip()[:LONGEST_FIRST]
                return _begin_answer(replace(run, job=replace(state, first=first, waiting=(*state.waiting, message))))
            case ControlApplied(control=Stop(node=id)):
                return _stop(run, id)
            case _:
                return run

    def title(self, run: Run) -> str:
        """Return its name, else the first message."""
        return title_of(_job(run), _state(run).first)

    def rest(self, run: Run) -> float:
        """Return until when it waits for the next message."""
        if _state(run).waiting:
            return 0.0
        return min(run.now + IDLE_SECONDS, run.clock.started_at + LONGEST_SECONDS)

    def end(self, run: Run) -> End | None:
        """A conversation ends once nobody has written for long; a person ends it by cancelling it."""
        return End(summary=f"nobody went on with it: {run.parking.expired}") if run.parking.expired else None


def node_id(number: int) -> str:
    """Return the id of the node of an answer."""
    return f"answer-{number:05d}"


def _begin_answer(run: Run) -> Run:
    """Add the node that answers the next message, once the answer before it has ended."""
    state, job = _state(run), _job(run)
    if not state.waiting or any(True for _ in run.graph):
        return run
    message, number = state.waiting[0], state.turns + 1
    given = ConverseInput(
        earlier=state.said, page=message.page, leads=message.leads, skill=state.skill, rights=RIGHTS[job.role]
    )
    budget = Budget(iterations=TURNS, calls=CALLS, seconds=SECONDS)
    asked = Child(description=message.text, input=given, agent=job.agent, budget=budget)
    plan = PlanNode(id=node_id(number), description=message.text, kind="converse", session="")
    graph = add_nodes(run.graph, [Node(plan=plan, asked=asked)])
    return replace(run, graph=graph, job=replace(state, turns=number))


def _stop(run: Run, id: str) -> Run:
    """Return the run with an answer broken off: at once if nobody is at work on it, else once that has ended."""
    node = run.graph.get(id)
    if node is None:
        return run  # it has ended before
    if node.status in ("open", "asking"):
        return run.with_node(replace(node, status="open", asks=None, withdrawn=True))
    return _end_answer(run, id, "")


def _brief(_run: Run, node: Node) -> ConverseInput:
    assert node.asked is not None, "every answer was asked for"
    assert isinstance(node.asked.input, ConverseInput)
    return node.asked.input


def _absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Keep what was answered, and begin the next answer."""
    if isinstance(result.output, ConverseOutput):
        run = replace(run, job=replace(_state(run), skill=result.output.skill))
        return _end_answer(run, node.plan.id, result.output.text)
    return _end_answer(run, node.plan.id, "" if result.status == "cancelled" else f"(no answer: {result.summary})")


def _end_answer(run: Run, id: str, text: str) -> Run:
    """Add a message and its answer to what was said, drop the node, and begin the next answer."""
    state = _state(run)
    heard = Spoken(by="person", text=state.waiting[0].text)
    said = extend_transcript(state.said, heard, Spoken(by="agent", text=text or "(stopped)"))
    state = replace(state, said=said, waiting=state.waiting[1:])
    return _begin_answer(replace(run, graph=drop_node(run.graph, id), job=state))


def _state(run: Run) -> ConversationState:
    assert isinstance(run.job, ConversationState)
    return run.job


def _job(run: Run) -> Conversation:
    assert isinstance(run.opened.job, Conversation)
    return run.opened.job


def extend_transcript(said: Sequence[Spoken], *new: Spoken) -> tuple[Spoken, ...]:
    """Return the newest messages within the bounds, oldest first."""
    shortened = (Spoken(by=it.by, text=both_ends(it.text, LONGEST_MESSAGE)) for it in new)
    kept: list[Spoken] = []
    room = MOST_CHARACTERS
    for spoken in reversed([*said, *shortened]):
        room -= len(spoken.text)
        if room < 0 or len(kept) == MOST_MESSAGES:
            break
        kept.append(spoken)
    return tuple(reversed(kept))


ConversationRules.kinds = {"converse": KindRules(_brief, accept_claim, _absorb)}
RULES: Job = ConversationRules()
