"""`muster lsp`: a language server for test cases."""

import signal
import sys
import threading

import click

from muster_cli.options import example
from muster_cli.standard_input import endable_input
from muster_service.ending_signals import list_ending_signals


@click.command(
    short_help="Run a language server for test cases.",
    epilog=example(
        "muster lsp                                   what an editor starts; docs/editors.md says how for each",
        "muster lsp --var base_url=http://127.0.0.1:8000",
        "muster lsp --model                           sentences that no phrase reads are for a model",
    ),
)
@click.option("--var", "variables", multiple=True, metavar="NAME[=VALUE]", help="Treat a variable as set; repeatable.")
@click.option(
    "--model", is_flag=True, help="A model will be used: sentences that no phrase reads are hints, not errors."
)
@click.option("--stdio", is_flag=True, hidden=True, help="Ignored; many editors pass it.")
def lsp(*, variables: tuple[str, ...], model: bool, stdio: bool) -> None:
    """Serve the Language Server Protocol on stdin and stdout, for case files and for phrases/*.yaml beside them.

    An editor starts it and shows, while you type: each problem that `muster check` reports, at its place; a sentence to
    write instead, as a quick fix; as completion, matching phrases and sentences of your own, and inside `${` the names
    of variables and secrets; and, on hover, how a sentence is read.

    It needs no fleet, no browser and no model, and ends with its editor. It ignores YAML and Markdown files without
    cases.
    """
    if sys.stdin.isatty():
        raise click.UsageError("an editor starts this and talks to it on stdin; docs/editors.md says how to set it up")
    from muster_cli.language_server import case_server  # noqa: PLC0415 - `--help` of all commands needs none of it
    from muster_protocol.codec import convert_types  # noqa: PLC0415

    server = case_server([name.partition("=")[0] for name in variables], model=model)
    convert_types()
    signals = list_ending_signals()
    # A handler runs in the main thread alone, and one that comes just before that waits for input would wait with it.
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    with endable_input() as end:
        threading.Thread(target=lambda: (signal.sigwait(signals), end()), name="signals", daemon=True).start()
        server.start_io()
