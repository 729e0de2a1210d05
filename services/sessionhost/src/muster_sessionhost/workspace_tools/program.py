"""The program: reads one call as JSON, carries it out, and writes the answer as JSON.

{"root": "…/workspace", "tool": "read", "arguments": {"path": "src/a.py"}}
{"text": "src/a.py, lines 1 to 3 of 3: …", "problem": "", "data": "", "failed": false}
"""

import json
import resource
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from muster_sessionhost.workspace_tools import (
    changes,
    checkout_overview,
    code_symbols,
    file_editing,
    file_reading,
    git_commands,
    suite_runs,
    tree_search,
)
from muster_sessionhost.workspace_tools.checkout import Answer, Checkout, Refused

Call = Callable[..., Answer]


def _named(*functions: Call) -> Mapping[str, Call]:
    return {function.__name__: function for function in functions}


READING = _named(
    file_reading.read,
    file_reading.ls,
    tree_search.search_files,
    tree_search.grep,
    code_symbols.code_search,
    code_symbols.docs_coverage,
    checkout_overview.overview,
    checkout_overview.plan_files,
    git_commands.git_status,
    git_commands.git_log,
    git_commands.git_diff,
)
"""Calls that change nothing of the workspace."""
CHANGING = _named(file_editing.write, file_editing.edit, git_commands.git_commit, suite_runs.run_tests)
"""Calls that may; tests write what they like."""
OF_HOST = _named(changes.baseline, changes.diff, git_commands.git_bundle)
"""Calls of the session host itself, which names files of its own in them."""


def carry_out(call: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out a call and return its answer."""
    checkout = Checkout(
        Path(call["root"]), _rules(call.get("read")), _rules(call.get("write")), bool(call.get("confined", True))
    )
    calls = OF_HOST if call.get("of_host") else {**READING, **CHANGING}
    try:
        answer = calls[call["tool"]](checkout, **call["arguments"])
    except Refused as refused:
        return {"problem": str(refused)}
    except OSError as error:
        return {"problem": f"{error.filename or 'a file'}: {(error.strerror or str(error)).lower()}"}
    except (MemoryError, RecursionError) as error:
        return {"problem": f"it takes more than is allowed here ({type(error).__name__}): name a smaller part"}
    return answer._asdict()


def _rules(paths: list[str] | None) -> tuple[str, ...] | None:
    return None if paths is None else tuple(paths)


def _limit(kib_of_memory: int, kib_of_file: int, processes: int) -> None:
    """Limit what this process and those that it starts may use; 0: no limit."""
    for kind, amount in (
        (resource.RLIMIT_DATA, kib_of_memory * 1024),
        (resource.RLIMIT_FSIZE, kib_of_file * 1024),
        (resource.RLIMIT_NPROC, processes),
    ):
        if amount:
            resource.setrlimit(kind, (amount, amount))


def main() -> None:
    """Carry out the call on standard input."""
    call = json.load(sys.stdin)
    _limit(*call.get("limits", (0, 0, 0)))
    json.dump(carry_out(call), sys.stdout)
