"""`muster schema`: JSON Schema and AsyncAPI of everything on the wire."""

from pathlib import Path

import click

from muster_cli.named_files import write_named
from muster_cli.options import example
from muster_protocol.wire_schema import FILES, render_schema


@click.command(
    short_help="Print the JSON Schema or AsyncAPI document.",
    epilog=example(
        "muster schema muster.schema.json | jq '.\"$defs\".RunRequest'", "muster schema --out protocol/schema"
    ),
)
@click.argument("name", type=click.Choice(list(FILES)), required=False)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write all files there.")
def schema(name: str | None, out: Path | None) -> None:
    """Print a schema for systems that talk to Muster over NATS, or write them all to a folder."""
    if out is None:
        click.echo(render_schema(name or next(iter(FILES))), nl=False)
        return
    for file in FILES:
        write_named(out / file, render_schema(file))
        click.echo(f"wrote {out / file}")
