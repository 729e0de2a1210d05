"""Journeys of Android Studio as test cases. Their steps are sentences; those that no phrase reads are listed. Pure."""

from xml.etree.ElementTree import Element, ParseError, fromstring

from muster_authoring.imported_case import ImportedCase, Left
from muster_grammar.errors import PhraseError
from muster_grammar.parser import parse_action, parse_expectation
from muster_protocol.errors import InvalidRequest


def read_journey(text: str, name: str) -> ImportedCase:
    """Return a journey as a case. An action that no phrase reads stays word for word: a model may carry it out.

    Raises:
        InvalidRequest: it is no journey.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InvalidRequest(["a journey has no document type"])
    try:
        root: Element = fromstring(text)
    except ParseError as error:
        raise InvalidRequest([f"this is not a journey: {error}"]) from error
    if root.tag != "journey":
        raise InvalidRequest([f"this is not a journey: its root is <{root.tag}>"])
    case = ImportedCase(root.get("name") or name)
    for number, node in enumerate(_steps_of(root), 1):
        said = " ".join("".join(node.itertext()).split())
        if node.tag != "action":
            case.leave(Left(number, f"<{node.tag}>", "a journey is known to have actions alone"))
        elif said:
            _add(case, said, number)
    if not case.steps:
        raise InvalidRequest(["this journey has no actions"])
    return case


def _steps_of(root: Element) -> list[Element]:
    """Return the parts of a journey that do something, in order: its description says what it is for."""
    told = [part for part in root if part.tag != "description"]
    return [step for part in told for step in (part if part.tag == "actions" else (part,))]


def _add(case: ImportedCase, said: str, number: int) -> None:
    if _reads(said, expectation=False):
        case.act(said)
    elif _reads(said, expectation=True):
        case.expect(said)
    else:
        case.left.append(Left(number, said, "no phrase reads it, so it needs a model"))
        case.act(said)


def _reads(said: str, *, expectation: bool) -> bool:
    try:
        parse_expectation(said) if expectation else parse_action(said)
    except PhraseError:
        return False
    return True
