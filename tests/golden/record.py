"""Records golden files anew: `make golden`, never by itself. `README.md` beside this says when, and what to look at.

`python -m tests.golden.record messages`: every type on the wire, and the words its fields take.
`python -m tests.golden.record replays`: what today's machine makes of the logs that are there.
`python -m tests.golden.record runs [NAME ...]`: logs and journals of real runs, on fleets of real processes.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import goldens
import samples
from played_scenes import Stored
from replaying import replay
from scenes import SCENES

from muster_protocol import codec


def record_messages() -> None:
    """Write one file for each type, and drop those of types that are gone."""
    folder = goldens.of_version() / "messages"
    wanted = {name: _message(kind) for name, kind in goldens.kinds().items()}
    for path in folder.glob("*.json"):
        if path.stem not in wanted:
            path.unlink()
            print(f"gone: {path.stem}; what was stored as one can no longer be read")
    for name, text in wanted.items():
        _write(folder / f"{name}.json", text)
    _write(goldens.of_version() / "words.json", json.dumps(goldens.words(), indent=1, sort_keys=True) + "\n")


def _message(kind: goldens.Kind) -> str:
    sampled = {"minimal": samples.minimal(kind), "full": samples.full(kind)}
    return json.dumps(json.loads(codec.encode(sampled)), indent=2, ensure_ascii=False) + "\n"


def record_replays(names: list[str]) -> None:
    """Write what comes of each log that is kept, or of those of some scenes."""
    for kept in goldens.runs().values():
        if kept.name in names or not names:
            text = msgspec.json.format(codec.encode(replay(kept.entries)), indent=1).decode() + "\n"
            _write(goldens.FOLDER / f"v{kept.version}" / "runs" / kept.name / "replay.json", text)


async def record_runs(names: list[str]) -> None:
    """Run the scenes and keep what they leave in the streams."""
    for name in names:
        with tempfile.TemporaryDirectory(prefix="golden-") as folder:
            _keep(goldens.of_version() / "runs" / name, await SCENES[name](Path(folder)))


def _keep(folder: Path, stored: Stored) -> None:
    lines = [codec.encode({"task": task, "batch": msgspec.Raw(data)}).decode() for task, data in stored.journals]
    _write(folder / "log.jsonl", "".join(f"{line.decode()}\n" for line in stored.log))
    _write(folder / "journals.jsonl", "".join(f"{line}\n" for line in lines))


def _write(path: Path, text: str) -> None:
    before = path.read_text() if path.exists() else None
    if before != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(f"{'new' if before is None else 'CHANGED'}: {path.relative_to(goldens.FOLDER)}", flush=True)


def main() -> None:
    """Record what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("messages", "replays", "runs"))
    parser.add_argument("names", nargs="*", choices=[*SCENES, []], help="scenes; all if none is named")
    asked = parser.parse_args()
    match asked.what:
        case "messages":
            record_messages()
        case "replays":
            record_replays(asked.names)
        case _:
            asyncio.run(record_runs(asked.names or list(SCENES)))
            record_replays(asked.names)


if __name__ == "__main__":
    main()
