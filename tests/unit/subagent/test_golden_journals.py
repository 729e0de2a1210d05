"""Journals of real sub-tasks, kept: whoever takes one over, by whatever version, goes on where it stops."""

import json

import goldens
import pytest

from muster_protocol import codec
from muster_protocol.journal import CallFinished, CallStarted, Finished, JournalBatch, ModelReplied, Revoked, Taken
from muster_subagent.task_journal import Progress, Standing, progressed, standing

JOURNALS = {f"{name} {task}": (kept, task) for name, kept in goldens.runs().items() for task in kept.journals}


@pytest.fixture(params=JOURNALS)
def kept(request: pytest.FixtureRequest) -> tuple[goldens.Kept, str]:
    return JOURNALS[request.param]


def test_a_journal_is_read_as_it_was_written(kept: tuple[goldens.Kept, str]):
    run, task = kept
    for line in run.journals[task]:
        batch = codec.decode(line, JournalBatch)
        assert codec.decode(codec.encode(goldens.aged(batch)), JournalBatch) == batch
        if run.version == codec.VERSION:
            assert json.loads(codec.encode(batch)) == json.loads(line)


def test_after_every_entry_the_next_delivery_finds_all_that_was_done(kept: tuple[goldens.Kept, str]):
    run, task = kept
    progress, done, replies = Progress(), set[int](), 0
    entries = run.journal(task)
    for entry in entries:
        if isinstance(entry, CallStarted):
            assert entry.index not in done, "a call that came back was made again"
        done |= {entry.index} if isinstance(entry, CallFinished) else set()
        replies += isinstance(entry, ModelReplied)
        progress = progressed(progress, entry)
        over = isinstance(entry, Finished | Revoked)
        wanted = Standing.FINISHED if over else Standing.MINE
        assert standing(progress, progress.message or progress.done_with + 1, progress.delivery + 1) is wanted
        assert (set(progress.outcomes), len(progress.replies)) == (done, replies)
    assert isinstance(entries[-1], Finished | Revoked)
    assert any(isinstance(entry, Taken) for entry in entries) or isinstance(entries[-1], Revoked)
