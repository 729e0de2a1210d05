"""`muster try`: carries out sentences as they are typed."""

import os
from itertools import chain
from pathlib import Path

import click

from muster_authoring.own_cases import Books
from muster_authoring.phrase_book import PhraseBook
from muster_cases.case_fields import quoted
from muster_cases.case_problems import CaseError
from muster_cli.app import perform, tell
from muster_cli.case_jobs import parse_changes
from muster_cli.live_session import live_session
from muster_cli.options import example, require_address
from muster_cli.sentence_trial import Trial
from muster_cli.standard_input import is_typed
from muster_cli.typed_lines import typed_lines
from muster_grammar import PHRASES
from muster_views.outcome import PASSED, PRODUCT_FAILED
from muster_views.texts import strip_controls

COMMANDS = ("look", "steps", "forget", "save", "help", "quit")


@click.command(
    "try",
    short_help="Try sentences in a browser, one by one.",
    epilog=example(
        "muster try http://127.0.0.1:8000/login",
        "muster try --headed",
        'muster try --var base_url=http://127.0.0.1:8000     then: Open "${base_url}/login"',
        "muster try < sentences.txt",
    ),
)
@click.argument("url", required=False, default="", metavar="[URL]")
@click.option("--headed", is_flag=True, help="Show the browser's window.")
@click.option("--var", "variables", multiple=True, metavar="NAME=VALUE", help="Set a variable; repeatable.")
def trial(*, url: str, headed: bool, variables: tuple[str, ...]) -> None:
    """Type sentences and see the effect of each. Sentences that worked can be saved as a case.

    A worker carries out the sentences and judges them as in a run. Sentences of your own are loaded from `phrases/`
    here and above. `look` prints what is on the page as sentences, `save FILE.yaml` writes the case, `help` lists all
    commands. Secrets come from variables SECRET_<NAME>. In a terminal, Tab completes a sentence.

    Exit codes: 0; 1 where sentences came from a file or pipe and one did not work; 2 bad input; 130 interrupted.
    """
    if url:
        require_address(url)

    async def work() -> int:
        known = dict(parse_changes(variables, (), "", ()).variables)
        book = _book()
        async with live_session(os.environ, headed=headed) as session:
            made = Trial(session, book, known, lambda text: click.echo(strip_controls(text)))
            own = [one.text for one in book.sentences]
            examples = [text for phrase in PHRASES for text in phrase.examples]
            if url:
                click.echo(f"Open {quoted(url)}")
                await made.take(f"Open {quoted(url)}")
            tell("Type a sentence; `help` lists the commands." if is_typed() else "")
            try:
                async for text in typed_lines("> ", lambda: chain(made.proposed, own, COMMANDS, examples)):
                    if not await _take(made, text):
                        break
            finally:
                if made.unsaved and is_typed():
                    tell(f"muster: not saved:\n{made.as_case()}")
        return PASSED if is_typed() or not made.failed else PRODUCT_FAILED

    perform(work)


async def _take(made: Trial, text: str) -> bool:
    """Carry out what was typed, or each line of what was pasted; return False if one ends the trial."""
    lines = text.splitlines()
    for line in lines:
        if len(lines) > 1 or not is_typed():
            click.echo(f"> {strip_controls(line)}")
        if not await made.take(line):
            return False
    return True


def _book() -> PhraseBook:
    """Return the sentences of one's own that a case in the working directory could use.

    Raises:
        CaseError: they cannot be used.
    """
    books = Books()
    book = books.of(Path("case.yaml"))
    if books.problems:
        raise CaseError(books.problems)
    return book or PhraseBook(())
