"""The `muster` command and what belongs to it."""

import click

from muster_cli.commands.answer import answer
from muster_cli.commands.backup import backup, restore
from muster_cli.commands.cancel import cancel
from muster_cli.commands.dead import dead
from muster_cli.commands.demo import demo
from muster_cli.commands.doctor import doctor
from muster_cli.commands.keys import keys
from muster_cli.commands.listing import list_runs
from muster_cli.commands.pause import pause, resume
from muster_cli.commands.phrases import phrases
from muster_cli.commands.provision import provision
from muster_cli.commands.rerun import rerun
from muster_cli.commands.run import run
from muster_cli.commands.schema import schema
from muster_cli.commands.service import SERVICES
from muster_cli.commands.show import show
from muster_cli.commands.submit import submit
from muster_cli.commands.up import up
from muster_cli.commands.watch import watch
from muster_cli.groups import Listed
from muster_cli.options import example
from muster_protocol import __version__


@click.group(
    cls=Listed,
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


RUNS = (submit, list_runs, show, watch, cancel, pause, resume, answer, rerun)
for command in (run, demo, up, *RUNS, dead, keys, phrases, doctor, provision, backup, restore, schema, *SERVICES):
    muster.add_command(command)
