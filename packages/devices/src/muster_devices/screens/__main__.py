"""`python -m muster_devices.screens shop.yaml` checks a screens file; `--schema` prints its JSON Schema."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from muster_devices.screens.app_loader import AppRefused, app_schema, load_app
from muster_text.unreadable import why_unreadable


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files that are named, or print the schema; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m muster_devices.screens", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="screens files to check")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of a screens file")
    given = parser.parse_args(arguments)
    if given.schema:
        print(schema_text(), end="")
    return max([_checked(path) for path in given.files], default=0)


def schema_text() -> str:
    """Return the JSON Schema as `packages/devices/screens.schema.json` holds it."""
    return msgspec.json.format(msgspec.json.encode(app_schema()), indent=2).decode() + "\n"


def _checked(path: Path) -> int:
    try:
        app = load_app(path.read_text("utf-8-sig"), str(path))
    except AppRefused as refused:
        print(refused, file=sys.stderr)
        return 1
    except (OSError, UnicodeError) as error:
        print(f"{path}: {why_unreadable(error)}", file=sys.stderr)
        return 1
    print(f"{path}: {len(app.screens)} screens, {len(app.faults)} faults")
    return 0


if __name__ == "__main__":
    sys.exit(main())
