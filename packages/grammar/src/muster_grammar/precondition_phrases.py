"""Phrases for preconditions."""

from muster_grammar.engine import Calls, Phrase, call, precondition


def _is_open(_site: str, url: str) -> Calls:
    return _on_page(url)


def _on_page(url: str) -> Calls:
    return call("browser_navigate", url=url), call("check_response", status=2, match="class")


def _has_command(program: str) -> Calls:
    return call("execute_command", command=f"command -v {program}"), call("check_exit_code", code=0)


PRECONDITIONS: tuple[Phrase, ...] = (
    precondition(
        "{site} is open at/on/under {url}",
        "{site} is running at/on/under {url}",
        "{site} is available at/on/under {url}",
        "{site} is reachable at/on/under {url}",
        "{site} is up at/on/under {url}",
        build=_is_open,
        description="Opens the address; the answer must not be an error.",
        examples=('The shop is open at "${base_url}"', "The demo shop is running at ${base_url}"),
    ),
    precondition(
        "I am on {url}",
        "{url} is open",
        build=_on_page,
        description="Opens the address; the answer must not be an error.",
        examples=('I am on "${base_url}/login"', 'The page "${base_url}" is open'),
    ),
    precondition(
        "The command {program} is installed/available",
        "The command {program} exists",
        "{program} is installed",
        build=_has_command,
        description="A command can be run in the session.",
        examples=("The command git is installed", 'The command "git" exists'),
    ),
)
