"""Checks against JSON Schemas that somebody else has written, in a process of their own.

A schema may take for ever: its patterns are run by Python's `re`, and its references may branch at each level. Nothing
within a process can stop that, so the system ends a process that has used too much.
"""

import asyncio
import json
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

CPU_SECONDS = 5
"""Processor time of one check; a real one takes some milliseconds, beside half a second of the process's start."""
MEMORY = 2**30
"""Bytes of address space."""
_PIPE, _NULL = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL


async def find_schema_problems(schemas: Sequence[dict[str, Any]]) -> list[str]:
    """Return for each schema why it cannot be used, or "". If checking one takes too long, none can be used."""
    return await _run_apart("schemas", [*schemas], CPU_SECONDS) if any(schemas) else [""] * len(schemas)


async def find_fault(output: Any, schema: dict[str, Any], seconds: int = CPU_SECONDS) -> str:  # noqa: ANN401 - JSON
    """Return how an output violates its schema, or "" if it does not. References in the schema are not fetched."""
    if not schema:
        return ""
    if output is None:
        return "there is no output"
    (fault,) = await _run_apart("output", [output, schema], seconds)
    return fault


async def _run_apart(what: str, given: list[Any], seconds: int) -> list[str]:
    """Run a check in a separate process and return its findings; if it was ended, each of them says so."""
    program = (sys.executable, "-I", "-m", __name__, what, str(seconds))
    process = await asyncio.create_subprocess_exec(*program, stdin=_PIPE, stdout=_PIPE, stderr=_NULL, env={})
    try:
        out, _ = await process.communicate(json.dumps(given).encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == 0:
        return json.loads(out)
    ended = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    why = f"it takes more than {seconds} s" if ended else "it cannot be run"
    return [f"the schema cannot be used: {why}"] * (len(given) if what == "schemas" else 1)


def describe_problem(schema: dict[str, Any]) -> str:
    """Return why a schema is invalid, or ""."""
    import jsonschema  # noqa: PLC0415 - takes half a second, which whoever starts a check need not wait for

    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except (jsonschema.SchemaError, RecursionError, OverflowError) as error:
        return f"output_schema is no valid JSON Schema: {getattr(error, 'message', error)}"[:500]
    return ""


def describe_fault(output: Any, schema: dict[str, Any]) -> str:  # noqa: ANN401 - JSON
    """Return how an output violates a schema, or ""."""
    import jsonschema  # noqa: PLC0415 - see above
    import referencing.exceptions  # noqa: PLC0415

    validator = jsonschema.Draft202012Validator(schema, registry=referencing.Registry())
    try:
        error = next(iter(validator.iter_errors(output)), None)
    except (referencing.exceptions.Unresolvable, RecursionError) as problem:
        return f"the schema cannot be used: {problem}"
    return f"{error.json_path}: {error.message}"[:500] if error else ""


_CHECKS: dict[str, Callable[[list[Any]], list[str]]] = {
    "schemas": lambda given: [describe_problem(it) for it in given],
    "output": lambda given: [describe_fault(*given)],
}


def main() -> None:
    """Check what standard input holds, within the limits, and print the findings."""
    what, seconds = sys.argv[1], int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    json.dump(_CHECKS[what](json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    main()
