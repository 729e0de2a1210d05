"""`muster devices`: lists the phones, browsers and simulated devices of a fleet."""

import click
from rich.text import Text

from muster_bus import Rows
from muster_bus.lease_store import LeaseStore
from muster_cli.app import client, console, perform, print_json
from muster_cli.options import JSON, NATS, example
from muster_cli.table import new_table
from muster_protocol.logs import WorkerRow
from muster_views.device_inventory import DeviceView, view_devices
from muster_views.outcome import PASSED
from muster_views.texts import to_one_line


@click.command(
    short_help="List the devices of a fleet, and who has them.",
    epilog=example("muster devices", "muster devices --json"),
)
@NATS
@JSON
def devices(nats: str | None, as_json: bool) -> None:
    """List the phones, browsers and simulated devices of a fleet's session hosts, and which session or lease has a
    phone."""

    async def work() -> int:
        async with client(nats) as bus:
            rows = await Rows(bus, "WORKERS", WorkerRow).all()
            leases = await LeaseStore(bus).in_force()
            found = view_devices(rows, leases, bus.clock.now())
        if as_json:
            print_json(found)
        elif found:
            _show(found)
        else:
            click.echo("no session host is running")
        return PASSED

    perform(work)


def _show(found: tuple[DeviceView, ...]) -> None:
    table = new_table("kind", "name", "platform", "state", "session", "lease", "host", wrapped="session")
    for view in found:
        cells = (view.kind, view.name, view.platform, view.state, view.session, view.lease, view.host)
        table.add_row(*(Text(to_one_line(cell)) for cell in cells))
    console().print(table)
