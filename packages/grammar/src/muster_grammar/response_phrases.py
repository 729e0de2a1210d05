"""Phrases for what must hold of responses."""

from collections.abc import Callable

from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Comparison
from muster_grammar.response_statuses import Status
from muster_protocol.tool_calls import ArgumentValue


def _response(status: Status) -> Calls:
    how: dict[str, ArgumentValue] = {"match": status.match} if status.match != "is" else {}
    return (call("check_response", status=status.status, **how),)


def _header(header: str, comparison: Comparison, text: str) -> Calls:
    return (
        ()
        if comparison.negate
        else (call("check_response_header", header=header, value=text, **comparison.arguments()),)
    )


def _length(length: int) -> Calls:
    return _header("Content-Length", Comparison("is", negate=False), str(length))


def _kind(text: str) -> Calls:
    return _header("Content-Type", Comparison("contains", negate=False), text)


def _json_value(path: str, comparison: Comparison, text: str) -> Calls:
    return (call("check_json", path=path, value=text, **comparison.arguments()),)


def _json_is(path: str, text: str) -> Calls:
    return _json_value(path, Comparison("is", negate=False), text)


def _json_word(word: str) -> Callable[[str], Calls]:
    return lambda path: _json_is(path, word)


def _json_filled(path: str) -> Calls:
    return _json_value(path, Comparison("is", negate=True), "null")


def _json_there(path: str) -> Calls:
    return (call("check_json", path=path),)


def _is_json() -> Calls:
    return (call("check_json"),)


def _request_succeeds() -> Calls:
    return _response(Status(2, "class"))


def _response_text(comparison: Comparison, texts: tuple[str, ...]) -> Calls:
    if len(texts) > 1 and comparison.match != "contains":
        return ()
    how = comparison.arguments(default="contains")
    return tuple(call("check_response_text", text=text, **how) for text in texts)


RESPONSES: tuple[Phrase, ...] = (
    expectation(
        "The response status is {status}",
        "The response is (a/an) {status}",
        "The response is {status} response/error/status",
        "The status is {status}",
        "The response has (the) status {status}",
        "The response has (the) response status {status}",
        "I get {status} response/error/status",
        "The page shows {status} response/status",
        "The page shows {status} response status",
        "I get {status} response status",
        "{status} response/status is returned/received",
        "(a) {status} is returned/received",
        "Response status (of) {status} is returned/received/given",
        build=_response,
        description="The status of the last page or HTTP request, whichever is newer.",
        examples=(
            "The response status is 200",
            "The page answers with status 404",
            "The status code should be 2xx",
        ),
    ),
    expectation(
        "The response header {text} {compare} {text}",
        "The header {text} {compare} {text}",
        "The {text} header {compare} {text}",
        "The {text} response header {compare} {text}",
        build=_header,
        description="Compares a header of the last response to an HTTP request; without `not`.",
        examples=(
            'The response header "Location" is "/orders/1"',
            'The "Content-Type" response header contains "json"',
        ),
    ),
    expectation(
        "The response has (a) content length (of) {number}",
        "The content length of response is {number}",
        build=_length,
        description="The header Content-Length of the last response to an HTTP request.",
        examples=("The response has a content length of 11",),
    ),
    expectation(
        "The response has (a) content type (of) {quoted}",
        "The content type of response is {quoted}",
        build=_kind,
        description="The header Content-Type of the last response to an HTTP request contains this.",
        examples=('The response has the content type "application/json"',),
    ),
    expectation(
        "The JSON value/node/field/key/property/path {text} {compare} {text}",
        "The {text} JSON value/node/field/key/property {compare} {text}",
        "The response field/property {text} {compare} {text}",
        "The field/key/property {text} in/of the response {compare} {text}",
        "The {text} field/key/property in/of the response {compare} {text}",
        build=_json_value,
        description="Compares a value of the JSON in the last response to an HTTP request.",
        examples=('The JSON field "items[0].name" is "Mug"', 'The JSON value "total" is 3'),
    ),
    expectation(
        "The JSON value/node/field/key/property/path {text} is not null",
        build=_json_filled,
        description="A value in a JSON response is not null; a missing value does not count.",
        examples=('The JSON node "user.name" should not be null',),
    ),
    *(
        expectation(
            f"The JSON value/node/field/key/property/path {{text}} is {word}",
            f"The response field/property {{text}} is {word}",
            build=_json_word(word),
            description="A value in a JSON response.",
            examples=(f'The JSON node "user.active" should be {word}',),
        )
        for word in ("null", "true", "false")
    ),
    expectation(
        "The response has/contains (the/a) (JSON) field/key/property {text} with (the) value {quoted}",
        build=_json_is,
        description="A value in a JSON response.",
        examples=('The response has the field "id" with the value "1"',),
    ),
    expectation(
        "The response has (the/a) JSON field/key/property/node {text}",
        "The response has/contains (the/a) field/key/property {text}",
        "The JSON value/node/field/key/property {text} exists",
        build=_json_there,
        description="The JSON of the last response to an HTTP request has such a value.",
        examples=('The response has the field "id"', 'The JSON node "user.name" should exist'),
    ),
    expectation(
        "The response is (valid/in) JSON",
        build=_is_json,
        description="The last response to an HTTP request is JSON.",
        examples=("The response should be in JSON",),
    ),
    expectation(
        "The request succeeds",
        "The request is successful",
        "The response is successful",
        build=_request_succeeds,
        description="The status of the last page or HTTP request is 2xx.",
        examples=("The request succeeds",),
    ),
    expectation(
        "The response {compare} {texts}",
        "The response body {compare} {texts}",
        build=_response_text,
        description="Compares the text of the last response.",
        examples=(
            'The response contains "A-17"',
            'The response does not contain "error"',
            "The response body is '{\"ok\": true}'",
        ),
    ),
)
