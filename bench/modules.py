"""How many modules a request passes through: those in which a function runs between its submission and its verdict.

One case of two steps (a page is opened and a button clicked, by phrases) is submitted through the gateway to a fleet of
four processes. Each records the modules of all Python calls meanwhile, also those of heartbeats and health checks.
"""

import argparse
import asyncio
import json
import runpy
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

from fleets import controlled_page, eventually, fleet
from fork_server import Process

SERVICES = {
    "gateway": "muster_gateway",
    "orchestrator": "muster_orchestrator",
    "subagent": "muster_subagent",
    "sessions": "muster_sessionhost",
}


def record(module: str, file: Path) -> None:
    """Run a service; record the modules it calls from SIGUSR1 on, and write them to a file at SIGUSR2."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            called.add(frame.f_globals.get("__name__", ""))

    def begin(*_: object) -> None:
        threading.setprofile(note)
        sys.setprofile(note)

    def write(*_: object) -> None:
        sys.setprofile(None)
        file.write_text(json.dumps(sorted(name for name in called if name.startswith("muster_"))))

    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, write)
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


async def count() -> dict[str, list[str]]:
    """Return the modules by service."""
    import fleet as support  # noqa: PLC0415 - `fleets` has put its folder on the path
    import httpx  # noqa: PLC0415 - the recorded services do not need it

    with controlled_page() as page:
        async with fleet(15.0) as group:
            port = group.folder / "port"
            files = {service: group.folder / f"{service}.json" for service in SERVICES}
            for service, module in SERVICES.items():
                support.PROGRAMS[service] = (__file__, "--record", module, str(files[service]))
                await group.start(service, HTTP_PORT="0", PORT_FILE=str(port))
            case = {
                "type": "test_case",
                "name": "Counter",
                "steps": [
                    {"action": f'Open "{page.url}"', "expected": 'The page title is "Counter"'},
                    {"action": 'Click "Count"', "expected": 'The text "Count: 1" is visible'},
                ],
            }
            _signal(group.running, signal.SIGUSR1)
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port.read_text().strip()}") as http:
                run = (await http.post("/runs", json={"job": case})).raise_for_status().json()["run"]
            verdict = await group.verdict(run)
            assert verdict.status == "pass", verdict.summary
            await group.closed(run)
            _signal(group.running, signal.SIGUSR2)
            await eventually(lambda: all(file.exists() for file in files.values()), "all have written")
            return {service: json.loads(file.read_text()) for service, file in files.items()}


def _signal(processes: list[Process], number: signal.Signals) -> None:
    for process in processes:
        process.send_signal(number)


def main() -> None:
    """Count and print, or record one service."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", nargs=2, metavar=("MODULE", "FILE"), help=argparse.SUPPRESS)
    parser.add_argument("--names", action="store_true", help="print the modules, too")
    options = parser.parse_args()
    if options.record:
        record(options.record[0], Path(options.record[1]))
        return
    found = asyncio.run(count())
    every = {name for names in found.values() for name in names}
    for service, names in found.items():
        print(f"{service:<14}{len(names):>4}")
    print(f"{'together':<14}{len(every):>4}")
    packages = Counter(name.partition(".")[0] for name in every)
    print(", ".join(f"{package} {number}" for package, number in packages.most_common()))
    if options.names:
        print("\n".join(sorted(every)))


if __name__ == "__main__":
    main()
