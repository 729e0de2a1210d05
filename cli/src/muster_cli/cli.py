"""The `muster` command with its subcommands."""

import click

from muster_cli.options import LateGroup, example
from muster_protocol import __version__

COMMANDS = {
    "run": "muster_cli.subcommands.run",
    "draft": "muster_cli.subcommands.draft",
    "check": "muster_cli.subcommands.check",
    "lsp": "muster_cli.subcommands.lsp",
    "mcp": "muster_cli.subcommands.mcp",
    "look": "muster_cli.subcommands.look",
    "try": "muster_cli.subcommands.trial",
    "record": "muster_cli.subcommands.record",
    "explore": "muster_cli.subcommands.explore",
    "map": "muster_cli.subcommands.app_maps",
    "demo": "muster_cli.subcommands.demo",
    "up": "muster_cli.subcommands.up",
    "submit": "muster_cli.subcommands.submit",
    "spawn": "muster_cli.subcommands.spawn",
    "fan-out": "muster_cli.subcommands.spawn",
    "list": "muster_cli.subcommands.list_runs",
    "health": "muster_cli.subcommands.health",
    "show": "muster_cli.subcommands.show",
    "state": "muster_cli.subcommands.state",
    "investigate": "muster_cli.subcommands.investigate",
    "chat": "muster_cli.subcommands.chat_command",
    "watch": "muster_cli.subcommands.watch",
    "cancel": "muster_cli.subcommands.cancel",
    "pause": "muster_cli.subcommands.pause",
    "resume": "muster_cli.subcommands.pause",
    "answer": "muster_cli.subcommands.answer",
    "rerun": "muster_cli.subcommands.rerun",
    "cases": "muster_cli.subcommands.case_admin",
    "triggers": "muster_cli.subcommands.trigger_admin",
    "incidents": "muster_cli.subcommands.incidents",
    "recordings": "muster_cli.subcommands.recordings_command",
    "export": "muster_cli.subcommands.export",
    "import": "muster_cli.subcommands.import_command",
    "apply": "muster_cli.subcommands.apply",
    "devices": "muster_cli.subcommands.devices",
    "dead": "muster_cli.subcommands.dead",
    "keys": "muster_cli.subcommands.key_admin",
    "secrets": "muster_cli.subcommands.secret_admin",
    "mcp-tools": "muster_cli.subcommands.mcp_tools",
    "agents": "muster_cli.subcommands.agents",
    "skills": "muster_cli.subcommands.skills",
    "phrases": "muster_cli.subcommands.phrases",
    "doctor": "muster_cli.subcommands.doctor",
    "provision": "muster_cli.subcommands.provision",
    "backup": "muster_cli.subcommands.backup",
    "restore": "muster_cli.subcommands.backup",
    "schema": "muster_cli.subcommands.schema",
    "orchestrator": "muster_cli.subcommands.service",
    "subagent": "muster_cli.subcommands.service",
    "sessions": "muster_cli.subcommands.service",
    "gateway": "muster_cli.subcommands.service",
}
"""The module of each command: what authors of cases call first, then what runs fleets and looks after them."""


@click.group(
    cls=LateGroup,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=example(
        "muster demo                     see it work on a small web shop",
        "muster run cases/               run your own cases",
        "muster up                       keep a fleet running, then `muster submit cases/ --wait`",
        "muster run --help               what a command can do, with examples",
    ),
)
@click.version_option(__version__, prog_name="muster")
def muster() -> None:
    """Run tests written in plain language."""
