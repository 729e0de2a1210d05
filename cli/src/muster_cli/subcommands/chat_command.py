"""`muster chat`: talks with an agent about tests and runs."""

import click

from muster_cli.app import client, console, perform
from muster_cli.chat_terminal import ChatTerminal, hint, tell_how_to_return
from muster_cli.lookup import require_request
from muster_cli.options import NATS, example
from muster_cli.standard_input import is_typed
from muster_cli.subcommands.control_command import user_name
from muster_client.conversations import build_conversation
from muster_client.runs import submit
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Conversation
from muster_text.request_rules import with_id_and_time
from muster_views.outcome import OTHER_FAILED, PASSED


@click.command(
    short_help="Talk with an agent about tests and runs.",
    epilog=example(
        "muster chat                              ask: Which tests are flaky?",
        "muster chat run-3f9c27d1a0b4e865         go on with a conversation",
        "muster chat --agent helper               talk with an agent of your own",
        "echo 'Run testcase TC_AUTH_01' | muster chat",
    ),
)
@click.argument("conversation", default="")
@click.option("--agent", default="", metavar="ID", help="An agent of kind `converse`; default: assistant.")
@click.option("--name", default="", metavar="TEXT", help="What the conversation is called in lists.")
@NATS
def chat(conversation: str, agent: str, name: str, nats: str | None) -> None:
    """Open a conversation, or continue CONVERSATION: type a line, read the answer.

    The agent looks at runs, starts tests that have run before, and asks before it starts anything new; a gateway and a
    worker with a model must be running. Ctrl-C stops an answer; if there is none, it leaves, as Ctrl-D does. Runs that
    were started continue, and the conversation stays open for a week after its last message.

    Exit codes: 0; 3 where messages came from a file or pipe and one got no answer; 2 bad input; 130 interrupted.
    """

    async def work() -> int:
        async with client(nats) as bus:
            if conversation:
                job = (await require_request(bus, conversation)).job
                if not isinstance(job, Conversation):
                    raise InvalidRequest([f"{conversation!r} is no conversation; `muster show` shows what it is"])
                run, talker = conversation, job.agent
            else:
                wanted = build_conversation(name, agent, role="admin")
                run = (await submit(bus, with_id_and_time(wanted, bus.clock.now()))).run
                talker = agent or "assistant"
            if is_typed():
                hint()
            terminal = ChatTerminal(bus, run, talker, console(), user_name())
            try:
                await terminal.talk()
            finally:
                tell_how_to_return(run)
        return OTHER_FAILED if terminal.unanswered and not is_typed() else PASSED

    perform(work)
