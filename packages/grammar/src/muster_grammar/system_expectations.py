"""Phrases for what must hold of commands, files and dialogs."""

import re

from muster_grammar.alert_phrases import ALERTS
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Comparison
from muster_grammar.response_phrases import RESPONSES
from muster_protocol.tool_calls import ArgumentValue


def _output(stream: str, comparison: Comparison, texts: tuple[str, ...]) -> Calls:
    """Only "contains" can be said of several texts at once."""
    if len(texts) > 1 and comparison.match != "contains":
        return ()
    where: dict[str, ArgumentValue] = {"stream": stream} if stream != "any" else {}
    how = comparison.arguments(default="contains")
    return tuple(call("check_output", text=text, **where, **how) for text in texts)


def _prints(texts: tuple[str, ...]) -> Calls:
    return _output("any", Comparison("contains", negate=False), texts)


def _prints_not(texts: tuple[str, ...]) -> Calls:
    return _output("any", Comparison("contains", negate=True), texts)


def _output_is(stream: str, text: str) -> Calls:
    return _output(stream, Comparison("is", negate=False), (text,))


_WITH_ENDING = re.compile(r"[\w./-]+\.\w{1,5}")
_A_NUMBER = r"^\s*[-+]?\d+(?:\.\d+)?\s*$"


def _output_number(stream: str) -> Calls:
    return _output(stream, Comparison("matches", negate=False), (_A_NUMBER,))


def _output_no_number(stream: str) -> Calls:
    return _output(stream, Comparison("matches", negate=True), (_A_NUMBER,))


def _folder_has(folder: str, file: str) -> Calls:
    return (call("check_file", path=f"{folder.rstrip('/')}/{file}"),) if file and not file.startswith("/") else ()


def _folder_has_named(folder: str, name: str) -> Calls:
    """Without the word "file" it is one by its ending: a folder of people contains "Bob"."""
    return _folder_has(folder, name) if _WITH_ENDING.fullmatch(name) else ()


def _output_empty(stream: str) -> Calls:
    return _output(stream, Comparison("is", negate=False), ("",))


def _output_not_empty(stream: str) -> Calls:
    return _output(stream, Comparison("is", negate=True), ("",))


def _exit_code(code: int) -> Calls:
    return (call("check_exit_code", code=code),)


def _not_exit_code(code: int) -> Calls:
    return (call("check_exit_code", code=code, negate=True),)


def _succeeds() -> Calls:
    return _exit_code(0)


def _fails() -> Calls:
    return _not_exit_code(0)


def _file(file: str) -> Calls:
    return (call("check_file", path=file),)


def _folder(folder: str) -> Calls:
    return (call("check_file", path=folder, folder=True),)


def _no_folder(folder: str) -> Calls:
    return (call("check_file", path=folder, folder=True, absent=True),)


def _no_file(file: str) -> Calls:
    return (call("check_file", path=file, absent=True),)


def _file_content(file: str, comparison: Comparison, texts: tuple[str, ...]) -> Calls:
    if len(texts) > 1 and comparison.match != "contains":
        return ()
    how = comparison.arguments(default="contains")
    return tuple(call("check_file", path=file, text=text, **how) for text in texts)


def _file_is(file: str, text: str) -> Calls:
    return _file_content(file, Comparison("is", negate=False), (text,))


def _file_lines(file: str, number: int) -> Calls:
    return (call("check_file", path=file, lines=number),)


def _passes_with(text: str) -> Calls:
    return _exit_code(0) + _prints((text,))


def _fails_with(text: str) -> Calls:
    return _not_exit_code(0) + _prints((text,))


COMMANDS: tuple[Phrase, ...] = (
    expectation(
        "The {stream} {compare} {texts}",
        build=_output,
        description="Compares the output of the last command.",
        examples=(
            'The output contains "ok" and "done"',
            'The standard output is "ok"',
            'The error output does not contain "Traceback"',
        ),
    ),
    expectation(
        "The {stream} contains exactly {text}",
        build=_output_is,
        description="The output of the last command is this.",
        examples=('The output contains exactly "ok"',),
    ),
    expectation(
        "The command prints {texts}",
        build=_prints,
        description="The output of the last command contains each text.",
        examples=('The command prints "ok"',),
    ),
    expectation(
        "The command does not print {texts}",
        build=_prints_not,
        description="The output of the last command contains none of the texts.",
        examples=('The command should not print "Error"',),
    ),
    expectation(
        "The {stream} is empty",
        build=_output_empty,
        description="The last command printed nothing.",
        examples=("The error output is empty",),
    ),
    expectation(
        "The {stream} is not empty",
        build=_output_not_empty,
        description="The last command printed something.",
        examples=("The output is not empty",),
    ),
    expectation(
        "The {stream} is (a) number",
        build=_output_number,
        description="The last command printed a number and nothing else.",
        examples=("The output is a number",),
    ),
    expectation(
        "The {stream} is not (a) number",
        build=_output_no_number,
        description="The output of the last command is not a number.",
        examples=("The output is not a number",),
    ),
    expectation(
        "The exit code is zero",
        "The page shows zero exit code",
        "I get zero exit code",
        build=_succeeds,
        description="The exit code of the last command is 0.",
        examples=("I should get a zero exit status",),
    ),
    expectation(
        "The exit code is non-zero/nonzero",
        "The page shows non-zero/nonzero exit code",
        "I get non-zero/nonzero exit code",
        build=_fails,
        description="The exit code of the last command is another one than 0.",
        examples=("The exit code is non-zero",),
    ),
    expectation(
        "The exit code is {code}",
        build=_exit_code,
        description="The exit code of the last command.",
        examples=("The exit code is 0", "The command exits with code two"),
    ),
    expectation(
        "The exit code is not {code}",
        build=_not_exit_code,
        description="The exit code of the last command is another one.",
        examples=("The exit code is not 0",),
    ),
    expectation(
        "The command succeeds",
        "The command does not fail",
        build=_succeeds,
        description="The exit code of the last command is 0.",
        examples=("The command succeeds",),
    ),
    expectation(
        "The command fails",
        "The command does not succeed",
        build=_fails,
        description="The exit code of the last command is not 0.",
        examples=("The command fails",),
    ),
    expectation(
        "The file {file} exists",
        "The {file} file exists",
        "The file {file} is created/downloaded/saved/written",
        "There is a file {file}",
        "There is a file named/called {file}",
        "The file is named/called {file}",
        build=_file,
        description="A file is in the session's directory.",
        examples=('The file "a.txt" exists', 'There is a file "a.txt"', "The file report.csv has been downloaded"),
    ),
    expectation(
        "The file {file} does not exist",
        "The {file} file does not exist",
        "The file {file} is deleted",
        "The file {file} is not created/downloaded/saved/written",
        "The {file} file is deleted",
        "There is no file {file}",
        build=_no_file,
        description="A file is not in the session's directory.",
        examples=('The file "a.txt" does not exist', 'The file "a.txt" was not created'),
    ),
    expectation(
        "The file {file} {compare} {texts}",
        "The content/contents of the file {file} {compare} {texts}",
        build=_file_content,
        description="Compares the content of a file.",
        examples=(
            'The file "a.txt" contains "x" and "y"',
            'The content of the file "a.txt" is "x"',
            'The file "a.txt" does not contain "x"',
        ),
    ),
)

_FOLDERS = (
    expectation(
        "The directory/folder {folder} exists",
        "The directory/folder {folder} is created",
        "There is a directory/folder {folder}",
        "The {folder} directory/folder exists",
        build=_folder,
        description="A folder is in the session's directory.",
        examples=('A directory named "build" should exist', 'The folder "build/logs" exists'),
    ),
    expectation(
        "The directory/folder {folder} contains/has (the) file {quoted}",
        "The {folder} directory/folder contains/has (the) file {quoted}",
        "The {program} directory/folder contains/has (the) file {quoted}",
        build=_folder_has,
        description="A file is in a folder of the session's directory.",
        examples=('The folder "build/logs" contains the file "a.log"',),
    ),
    expectation(
        "The directory/folder {folder} contains {quoted}",
        "The {folder} directory/folder contains {quoted}",
        build=_folder_has_named,
        description="A file is in a folder of the session's directory.",
        examples=('The directory "src" should contain: "main.py"',),
    ),
    expectation(
        "The directory/folder {folder} does not exist",
        "The directory/folder {folder} is deleted",
        "The directory/folder {folder} is not created",
        "There is no directory/folder {folder}",
        "The {folder} directory/folder does not exist",
        build=_no_folder,
        description="A folder is not in the session's directory.",
        examples=('The directory "build" should not exist',),
    ),
)

_LINES = (
    expectation(
        "The file {file} has (the) content/contents {quoted}",
        build=_file_is,
        description="A file of the session's directory has just this content.",
        examples=('The file "a.txt" has the content "x"',),
    ),
    expectation(
        "The file {file} has/contains {number} line/lines",
        build=_file_lines,
        description="Counts the lines of a file.",
        examples=('The file "orders.csv" has 3 lines',),
    ),
    expectation(
        "It passes/pass with {text}",
        "The command succeeds with {text}",
        build=_passes_with,
        description="The exit code of the last command is 0, and its output contains this.",
        examples=('It should pass with "3 examples"',),
    ),
    expectation(
        "It fails/fail with {text}",
        "The command fails with {text}",
        build=_fails_with,
        description="The exit code of the last command is not 0, and its output contains this.",
        examples=('It should fail with "No such file"',),
    ),
)

SYSTEM_EXPECTATIONS = (*COMMANDS, *_FOLDERS, *_LINES, *RESPONSES, *ALERTS)
