"""Sentences of a case that no phrase reads: a model has to plan and carry out what they say. Pure."""

from muster_grammar.errors import PhraseError
from muster_grammar.parser import parse_action, parse_expectation, parse_precondition
from muster_protocol.requests import Step, TestCase


def unread_in(case: TestCase) -> list[str]:
    """Return what is wrong with each sentence of a case that is no known phrase."""
    problems: list[str] = []
    for number, text in enumerate(case.preconditions, 1):
        try:
            parse_precondition(text)
        except PhraseError as error:
            problems.append(f"precondition {number}: {error}")
    for number, step in enumerate(case.steps, 1):
        problems += [f"step {number}: {error}" for error in _errors(step)]
    return problems


def _errors(step: Step) -> list[str]:
    found: list[str] = []
    for parse, text in ((parse_action, step.action), (parse_expectation, step.expected)):
        try:
            if text.strip():
                parse(text)
        except PhraseError as error:
            found.append(str(error))
    return found
