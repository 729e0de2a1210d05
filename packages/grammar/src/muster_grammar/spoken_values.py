"""Phrases for values without quotes, introduced by a label: "enter tester as the user name"."""

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.form_phrases import select_told
from muster_grammar.target_parser import Target


def _type(label: str, text: str) -> Calls:
    return (call("type", element=label, text=text),)


def _type_labelled(labelled: tuple[str, str]) -> Calls:
    return _type(*labelled)


def _type_first(text: str, label: str) -> Calls:
    return _type(label, text)


def _type_into(text: str, target: Target) -> Calls:
    return (call("type", **target.arguments(field=True), text=text),)


def _type_said(said: tuple[str, str], target: Target) -> Calls:
    """What the value is called must be what the field is called: a title may be part of a name."""
    label, text = said
    called = {name.lower().replace(" ", "").replace("-", "") for name in (label, target.element or target.trait)}
    return _type_into(text, target) if len(called) == 1 else ()


def _select_in(option: str, target: Target) -> Calls:
    return (call("select", **target.arguments(field=True), options=[option]),)


def _clear_each(labels: tuple[str, ...]) -> Calls:
    return tuple(call("clear", element=label) for label in labels)


def _focus(target: Target) -> Calls:
    """What is called a text box is selected by a click; in a field of another kind something is chosen."""
    return (call("click", **target.arguments()),) if target.element and target.noun == "textbox" else ()


def _open(url: str) -> Calls:
    return (call("browser_navigate", url=url),)


SPOKEN: tuple[Phrase, ...] = (
    action(
        "Type/Input/Insert/Provide/Supply/Use {bare_value} as/for {field_label}",
        "Write/Paste {bare_value} as {field_label}",
        "Type/Input/Insert {striking_value} in/into {field_label}",
        build=_type_first,
        description="Puts a value into the field of this name, in place of what it holds.",
        examples=("Enter tester as the user name", "Enter a@shop.test in the e-mail address"),
    ),
    action(
        "Type/Input/Provide/Supply/Insert {label} as {striking_value}",
        build=_type,
        description="Puts a value into the field of this name, in place of what it holds.",
        examples=("Enter company name as Test Ltd",),
    ),
    action(
        "Type/Input/Provide/Supply/Insert {labelled}",
        build=_type_labelled,
        description="Puts a value into the field of this name, in place of what it holds.",
        examples=("Enter User name: tester",),
    ),
    action(
        "Leave {labels} empty/blank",
        "Clear {labels}",
        build=_clear_each,
        description="Empties the fields of these names.",
        examples=("Leave the username and password blank",),
    ),
    action(
        "Select/Choose {textbox}",
        build=_focus,
        description="Clicks a text box, so that it has the focus.",
        examples=("Select the username text box",),
    ),
    action(
        "Type/Input/Paste/Put {url} in/into url",
        build=_open,
        description="Opens an address in the current tab.",
        examples=('Enter "https://shop.test" in the address bar',),
    ),
    action(
        "Type/Input/Insert {proper_value} in/into {textbox}",
        build=_type_into,
        description="Puts a value into a field that is called one, in place of what it holds.",
        examples=("Enter Ada in the First Name field",),
    ),
    action(
        "Type/Input/Insert {said_value} in/into {textbox}",
        build=_type_said,
        description="Puts a value into a field that is called as the value is.",
        examples=("Enter user name Ada in the user name field",),
    ),
    action(
        "Type/Input/Insert {literal} in/into {field_label}",
        "Write {literal} as {field_label}",
        build=_type_first,
        description="Puts a text into the field of this name, in place of what it holds.",
        examples=('Enter "tester" in user name and "x" in password',),
    ),
    action(
        "Click option {quoted} in/from/of {dropdown}",
        "Click {quoted} option in/from/of {dropdown}",
        build=_select_in,
        description="Selects an option of a list that is called one.",
        examples=('Click the "Express" option of the "Shipping" dropdown',),
    ),
    action(
        "Select/Choose {label} as {striking_value}",
        build=select_told,
        description="Selects an option of the list of this name.",
        examples=("Select country as Norway",),
    ),
    action(
        "Select/Choose {striking_value} in/from {dropdown}",
        build=_select_in,
        description="Selects an option of a list that is called one.",
        examples=("Select Norway from the Country dropdown",),
    ),
)
