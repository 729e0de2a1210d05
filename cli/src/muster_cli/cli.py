"""The `muster` command and what belongs to it."""

import click

from muster_cli.options import OrderedGroup, example
from muster_cli.subcommands.answer import answer
from muster_cli.subcommands.backup import backup, restore
from muster_cli.subcommands.cancel import cancel
from muster_cli.subcommands.check import check
from muster_cli.subcommands.dead import dead
from muster_cli.subcommands.demo import demo
from muster_cli.subcommands.doctor import doctor
from muster_cli.subcommands.key_admin import keys
from muster_cli.subcommands.list_runs import list_runs
from muster_cli.subcommands.look import look
from muster_cli.subcommands.pause import pause, resume
from muster_cli.subcommands.phrases import phrases
from muster_cli.subcommands.provision import provision
from muster_cli.subcommands.rerun import rerun
from muster_cli.subcommands.run import run
from muster_cli.subcommands.schema import schema
from muster_cli.subcommands.service import SERVICES
from muster_cli.subcommands.show import show
from muster_cli.subcommands.submit import submit
from muster_cli.subcommands.trial import trial
from muster_cli.subcommands.up import up
from muster_cli.subcommands.watch import watch
from muster_protocol import __version__


@click.group(
    cls=OrderedGroup,
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


AUTHORS = (run, check, look, trial)
FLEET = (demo, up)
RUNS = (submit, list_runs, show, watch, cancel, pause, resume, answer, rerun)
KEEPING = (dead, keys, phrases, doctor, provision, backup, restore, schema)
for command in (*AUTHORS, *FLEET, *RUNS, *KEEPING, *SERVICES):
    muster.add_command(command)
