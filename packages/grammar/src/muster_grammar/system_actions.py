"""Phrases for commands, files, requests and values."""

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target
from muster_protocol.tool_calls import ArgumentValue

NUMBER_PATTERN = r"[-+]?\d+(?:[.,]\d+)*"
"""What "the number in …" keeps."""


def _run(command: str) -> Calls:
    return (call("execute_command", command=command),)


def _try(command: str) -> Calls:
    return _run(command)


def _run_well(command: str) -> Calls:
    return (*_run(command), call("check_exit_code", code=0))


def _run_badly(command: str) -> Calls:
    return (*_run(command), call("check_exit_code", code=0, negate=True))


def _run_within(command: str, seconds: float) -> Calls:
    return (call("execute_command", command=command, timeout_seconds=seconds),) if seconds else ()


def _start(command: str) -> Calls:
    return (call("execute_command", command=command, background=True),)


def _write(content: str, file: str) -> Calls:
    return (call("write_file", path=file, content=content),)


def _create(file: str, content: str) -> Calls:
    return _write(content, file)


def _create_empty(file: str) -> Calls:
    return _write("", file)


def _read(file: str) -> Calls:
    return (call("read_file", path=file),)


def _list() -> Calls:
    return (call("list_files"),)


def _list_in(folder: str) -> Calls:
    return (call("list_files", path=folder),)


def _request(method: str, url: str) -> Calls:
    return (call("http_request", method=method, url=url),)


def _request_body(method: str, url: str, body: str) -> Calls:
    return (call("http_request", method=method, url=url, body=body),)


def _request_body_first(method: str, body: str, url: str) -> Calls:
    return _request_body(method, url, body)


def _request_headers(method: str, url: str, headers: tuple[str, ...]) -> Calls:
    return (call("http_request", method=method, url=url, headers=list(headers)),)


def _request_both(method: str, url: str, body: str, headers: tuple[str, ...]) -> Calls:
    return (call("http_request", method=method, url=url, body=body, headers=list(headers)),)


def _request_both_turned(method: str, url: str, headers: tuple[str, ...], body: str) -> Calls:
    return _request_both(method, url, body, headers)


def _of_element(target: Target) -> dict[str, ArgumentValue]:
    """`remember` finds a value by its label, cell heading or name, whatever kind of element holds it."""
    return {key: value for key, value in target.arguments().items() if key in ("element", "within")}


def _remember(target: Target, name: str) -> Calls:
    if not target.sure and target.element.casefold().startswith(("random ", "unique ")):
        return ()  # it is made up, and nothing that the page names
    return (call("remember", name=name, **_of_element(target)),) if target.is_label else ()


def _remember_number(target: Target, name: str) -> Calls:
    return (call("remember", name=name, **_of_element(target), pattern=NUMBER_PATTERN),) if target.is_label else ()


def _remember_match(target: Target, pattern: str, name: str) -> Calls:
    return (call("remember", name=name, **_of_element(target), pattern=pattern),) if target.is_label else ()


def _remember_source(source: str, name: str) -> Calls:
    return (call("remember", name=name, source=source),) if source != "page" else ()


def _remember_source_number(source: str, name: str) -> Calls:
    return _remember_source_match(source, NUMBER_PATTERN, name)


def _remember_source_match(source: str, pattern: str, name: str) -> Calls:
    return (call("remember", name=name, pattern=pattern, source=source),)


def _remember_match_first(pattern: str, source: str, name: str) -> Calls:
    return _remember_source_match(source, pattern, name)


def _ask(question: str, name: str = "") -> Calls:
    return (call("ask_person", question=question, **({"name": name} if name else {})),)


COMMANDS: tuple[Phrase, ...] = (
    action(
        "Run {command}",
        build=_run,
        description="Runs a shell command in the session's directory; it may follow a colon, on several lines.",
        examples=(
            'Run "ls -la"',
            "Run the command `make test`",
            'In the terminal, execute "x"',
            "Run the command: ls -la",
            "Run the command:\nmkdir shop\ncd shop",
        ),
    ),
    action(
        "Try {code_text}",
        build=_try,
        description="Runs a shell command that stands in backticks.",
        examples=("Try `make test`",),
    ),
    action(
        "Run {command} succeeds",
        "Successfully run {command}",
        "Run {command} is successful",
        build=_run_well,
        description="Runs a shell command, which must end with exit code 0.",
        examples=('Executing "make" succeeds',),
    ),
    action(
        "Run {command} fails",
        build=_run_badly,
        description="Runs a shell command, which must end with another exit code than 0.",
        examples=('Executing "make test" fails',),
    ),
    action(
        "Run {command} within {seconds}",
        "Run {command} for up to {seconds}",
        "Run {command} with a timeout of {seconds}",
        "Run {command} with timeout {seconds}",
        build=_run_within,
        description="Runs a shell command that may take this long.",
        examples=('Run "make" within five minutes', 'Run "make" with a timeout of 90 seconds'),
    ),
    action(
        "Start/Run {command} in the background",
        build=_start,
        description="Starts a shell command and does not wait for its end.",
        examples=('Start "python server.py" in the background',),
    ),
    action(
        "Write {text} to/into/in the file {file}",
        "Save {text} to/into/in/as the file {file}",
        build=_write,
        description="Writes a file in the session's directory, in place of what it held.",
        examples=('Write "x" to the file "a.txt"', 'Save "x" in the file notes.txt'),
    ),
    action(
        "Create/Write the file {file} with {text}",
        "A file {file} with {text}",
        "I have the file {file} with {text}",
        "I have the {file} file that contains {text}",
        "I have the {file} file with {text}",
        "Create/Write the file {file} with the content/contents {text}",
        "Create/Write the file {file} containing {text}",
        "Create/Write the file {file} {text}",
        "Write to the file {file} {text}",
        build=_create,
        description="Writes a file in the session's directory; the content may follow a colon, on the next lines.",
        examples=(
            'Create a file "a.txt" with the content "x"',
            'Create the file "a.txt" with the content:\none\ntwo',
        ),
    ),
    action(
        "Create an empty file {file}",
        "An empty file {file}",
        "Create the file {file}",
        build=_create_empty,
        description="Writes an empty file in the session's directory.",
        examples=('Create an empty file "a.txt"',),
    ),
    action(
        "Read the file {file}",
        build=_read,
        description="Reads a file of the session's directory into the log.",
        examples=('Read the file "a.txt"',),
    ),
    action("List the files", build=_list, description="Lists the session's directory.", examples=("List the files",)),
    action(
        "List the files in/of {text}",
        "List the files in/of the folder/directory {text}",
        build=_list_in,
        description="Lists a folder of the session's directory.",
        examples=('List the files in the folder "build"',),
    ),
)

REQUESTS: tuple[Phrase, ...] = (
    action(
        "Send a {method} request to {url}",
        "Send a {method} call to {url}",
        "{method} {url}",
        build=_request,
        description="Sends an HTTP request.",
        examples=('Send a GET request to "${base_url}/api/orders"', "GET https://shop.test/api"),
    ),
    action(
        "Send a {method} request to {url} with body {text}",
        build=_request_body,
        description="Sends an HTTP request with a body.",
        examples=('Send a PUT request to "/api/cart" with the body \'{"count": 2}\'',),
    ),
    action(
        "{method} {text} to {url}",
        "Send a {method} request with body {text} to {url}",
        build=_request_body_first,
        description="Sends an HTTP request with a body.",
        examples=('POST \'{"a":1}\' to "${base_url}/api"',),
    ),
    action(
        "Send a {method} request to {url} with header/headers {texts}",
        build=_request_headers,
        description="Sends an HTTP request with headers, each as `Name: value`.",
        examples=('Send a GET request to "/api" with the header "Accept: text/plain"',),
    ),
    action(
        "Send a {method} request to {url} with body {text} and header/headers {texts}",
        "Send a {method} request to {url} with body {text} and with header/headers {texts}",
        build=_request_both,
        description="Sends an HTTP request with a body and headers.",
        examples=('Send a POST request to "/api" with the body "a=1" and the header "Accept: text/plain"',),
    ),
    action(
        "Send a {method} request to {url} with header/headers {texts} and body {text}",
        "Send a {method} request to {url} with header/headers {texts} and with body {text}",
        build=_request_both_turned,
        description="Sends an HTTP request with headers and a body.",
        examples=('Send a POST request to "/api" with the header "Accept: text/plain" and the body "a=1"',),
    ),
)

VALUES: tuple[Phrase, ...] = (
    action(
        "Remember {thing} as/in/into/to {name}",
        "Remember the text/value/content/contents of/in {thing} as/in/into/to {name}",
        build=_remember,
        description="Keeps a value of the page, found by its label, heading or name, for later sentences.",
        examples=(
            "Remember the order number as ${order}",
            'Remember the "Order number" as ${order}',
            'Store the text of "Total" in ${total}',
            'Remember the "Price" in the row with "Backpack" as ${price}',
        ),
    ),
    action(
        "Remember the number in/from {thing} as/in/into/to {name}",
        build=_remember_number,
        description="Keeps the number in a value of the page.",
        examples=('Remember the number in "Total" as ${total}',),
    ),
    action(
        "Remember the part of {thing} matching {text} as/in/into/to {name}",
        build=_remember_match,
        description="Keeps the part of a value that fits a regular expression: its first group, or all of it.",
        examples=('Remember the part of the "Order" field matching "A-([0-9]+)" as ${id}',),
    ),
    action(
        "Remember the {source} as/in/into/to {name}",
        "Remember the text/value/content/contents of the {source} as/in/into/to {name}",
        build=_remember_source,
        description="Keeps the output of the last command, the URL, the title or the last response.",
        examples=(
            "Remember the output as ${out}",
            "Save the current URL as ${url}",
            "Remember the page title as ${title}",
        ),
    ),
    action(
        "Remember the number in/from the {source} as/in/into/to {name}",
        build=_remember_source_number,
        description="Keeps the number in the output, the URL, the title, the page or the last response.",
        examples=("Remember the number in the output as ${count}",),
    ),
    action(
        "Remember the part of the {source} matching {text} as/in/into/to {name}",
        build=_remember_source_match,
        description="Keeps the part that fits a regular expression: its first group, or all of it.",
        examples=('Remember the part of the output matching "id=([0-9]+)" as ${id}',),
    ),
    action(
        "Remember the match of {text} in/from the {source} as/in/into/to {name}",
        "Remember what matches {text} in/on the {source} as/in/into/to {name}",
        build=_remember_match_first,
        description="Keeps the part that fits a regular expression: its first group, or all of it.",
        examples=('Remember what matches "id=([0-9]+)" in the output as ${id}',),
    ),
)

PEOPLE: tuple[Phrase, ...] = (
    action(
        "Ask (person/someone/user/tester) (for) {text} and remember answer as/in/into/to {name}",
        build=_ask,
        description="Asks a person and keeps the answer; meanwhile the run is parked.",
        examples=('Ask "What is the code in the mail?" and remember the answer as ${code}',),
    ),
    action(
        "Ask (person/someone/user/tester) (for) {text} and wait for answer",
        build=_ask,
        description="Asks a person to do something by hand; any answer continues the run.",
        examples=('Ask "Please approve the login on the phone" and wait for the answer',),
    ),
)

SYSTEM_ACTIONS = (*COMMANDS, *REQUESTS, *VALUES, *PEOPLE)
