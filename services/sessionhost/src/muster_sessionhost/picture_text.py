"""Text in pictures, read by Debian's `tesseract` where the host has it."""

import asyncio
import csv
import os
import shutil
from collections.abc import Iterator

from muster_protocol.session_responses import PictureRead, PictureWord, SessionError
from muster_protocol.tool_calls import Box

PROGRAM = "tesseract"
SECONDS = 20.0
"""Longest time for one picture."""
_ARGUMENTS = ("stdin", "stdout", "--psm", "11", "tsv")
"""Sparse text in no order, such as signs and buttons; a line for each word, with its box."""


async def read_picture(picture: bytes) -> PictureRead | SessionError:
    """Return the words in a picture (PNG), or why they cannot be read."""
    program = shutil.which(PROGRAM)
    if program is None:
        text = f"text in pictures is read by {PROGRAM}, which this session host lacks: apt-get install tesseract-ocr"
        return SessionError(reason="no_reader", text=text)
    env = {"PATH": os.defpath, "OMP_THREAD_LIMIT": "1"}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(program, *_ARGUMENTS, stdin=pipe, stdout=pipe, stderr=pipe, env=env)
    try:
        out, said = await asyncio.wait_for(process.communicate(picture), SECONDS)
    except TimeoutError:
        return SessionError(reason="invalid", text=f"{PROGRAM} has not read the picture within {SECONDS:g} s")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        why = said.decode(errors="replace").strip()[:300]
        return SessionError(reason="invalid", text=f"{PROGRAM} cannot read the picture: {why}")
    return PictureRead(words=tuple(words_in(out.decode(errors="replace"))))


def words_in(table: str) -> Iterator[PictureWord]:
    """Yield the words of a table that tesseract has written, line by line. Pure."""
    for row in csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if text and row["level"] == "5":
            box = Box(x=float(row["left"]), y=float(row["top"]), width=float(row["width"]), height=float(row["height"]))
            line = ".".join((row["block_num"], row["par_num"], row["line_num"]))
            yield PictureWord(text=text, line=line, box=box, confidence=float(row["conf"]) / 100)
