"""`muster orchestrator`, `subagent`, `sessions` and `gateway`: one service, in this process, as containers run it."""

import importlib.util
import os
import sys

import click

from muster_cli.child_process import MODULES
from muster_cli.options import example
from muster_protocol.logs import ServiceName
from muster_views.outcome import USAGE

HELP: dict[ServiceName, str] = {
    "orchestrator": "Run an orchestrator: it claims runs and drives them.",
    "subagent": "Run a worker: it carries out sub-tasks. Secrets and model keys belong in its environment.",
    "sessions": "Run a session host: it keeps browsers, shells and files.",
    "gateway": "Run the gateway: HTTP API and WebSocket.",
}


def _service(name: ServiceName) -> click.Command:
    @click.option("--nats", metavar="URL", help="NATS server; default: NATS_URL, else nats://127.0.0.1:4222.")
    def run(nats: str | None) -> None:
        if importlib.util.find_spec(f"{MODULES[name]}.__main__") is None:
            click.echo(
                f"muster: this installation has no {MODULES[name]}; install the package that brings it", err=True
            )
            sys.exit(USAGE)
        env = dict(os.environ) | ({"NATS_URL": nats} if nats else {})
        os.execve(sys.executable, [sys.executable, "-P", "-m", MODULES[name]], env)

    return click.command(
        name,
        short_help=HELP[name].partition(":")[0] + ".",
        help=f"{HELP[name]}\n\nAll settings come from the environment: `python -m {MODULES[name]} --help` lists them.",
        epilog=example(f"muster {name}", f"METRICS_PORT=9100 muster {name} --nats nats://nats.example:4222"),
    )(run)


orchestrator, subagent, sessions, gateway = map(_service, MODULES)
