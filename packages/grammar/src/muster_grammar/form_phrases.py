"""Phrases for filling in forms, and for files that go up or down."""

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target


def _type(text: str, target: Target) -> Calls:
    if target.role in {"textbox", ""} and target.noun not in {"card", "section", "form"}:
        return (call("type", **target.arguments(field=True), text=text),)
    return ()


def _fill(target: Target, text: str) -> Calls:
    if target.role in {"combobox", "list"}:
        return _select((text,), target)
    return _type(text, target)


def _clear(target: Target) -> Calls:
    return (call("clear", **target.arguments(field=True)),)


def _select(options: tuple[str, ...], target: Target) -> Calls:
    if target.role in {"combobox", "list", ""}:
        return (call("select", **target.arguments(field=True), options=list(options)),)
    return ()


def _check(target: Target) -> Calls:
    return (call("check", **target.arguments()),)


def _uncheck(target: Target) -> Calls:
    return (call("uncheck", **target.arguments()),)


def _upload(files: tuple[str, ...], target: Target) -> Calls:
    return (call("browser_upload", **target.arguments(field=True), files=list(files)),)


def _download(target: Target) -> Calls:
    return (call("browser_download", **target.arguments()),)


def _download_as(target: Target, file: str) -> Calls:
    return (call("browser_download", **target.arguments(), save_as=file),)


FORMS: tuple[Phrase, ...] = (
    action(
        "Type {text} into/in/to/on {target}",
        "Write/Put/Input/Insert {text} into/in {target}",
        "Fill {text} into/in {target}",
        "Key in {text} into/in {target}",
        "Type {text} as/for {thing}",
        build=_type,
        description="Puts a text into a field in place of what it holds.",
        examples=(
            'Type "tester" into the "User name" field',
            'Type ${secret:SHOP_PASSWORD} into "Password"',
            "The user enters 'a b' in the search box",
            'Enter "tester" as the user name',
            'Type "a" into the "X" field and "b" into the "Y" field',
        ),
    ),
    action(
        "Fill {target} with {text}",
        "Set {target} to {text}",
        build=_fill,
        description="Puts a text into a field; selects the option when the field is called a list.",
        examples=(
            'Fill in the "Name" field with "Ada"',
            'Set the "Quantity" field to 2',
            'Set the "Category" dropdown to "Bags"',
        ),
    ),
    action(
        "Clear {target}",
        "Empty {target}",
        "Clear/Delete/Remove/Empty the text/value/content/contents of/in/from {target}",
        build=_clear,
        description="Empties a field.",
        examples=('Clear the "Search" field', 'Delete the text in the "Search" field'),
    ),
    action(
        "Select/Choose {options} in/from/of/for/on {target}",
        "Select/Choose {options} as {thing}",
        build=_select,
        description="Selects options of a list.",
        examples=(
            'Select "Bags" in "Category"',
            'Choose the option "M" from the "Size" dropdown',
            'Select "Red" and "Blue" in the "Colours" list',
        ),
    ),
    action(
        "Check {target}",
        build=_check,
        description="Checks a checkbox or a radio button.",
        examples=('Check "I accept the terms"', 'Tick the "Newsletter" checkbox', 'Check "A" and "B"'),
    ),
    action(
        "Uncheck {target}",
        build=_uncheck,
        description="Unchecks a checkbox.",
        examples=('Uncheck "Newsletter"', 'Untick the checkbox "Newsletter"'),
    ),
    action(
        "Upload {files} to/into/in/for/with/using/via {target}",
        "Select/Choose the file/files {files} in/for/from {target}",
        "Upload {files} as {thing}",
        build=_upload,
        description="Hands files of the session's directory to a file field.",
        examples=(
            'Upload "delivery-note.txt" to "Delivery note"',
            'Attach the files "a.png" and "b.png" to the "Photos" field',
            'Upload the file "cv.pdf" as the delivery note',
        ),
    ),
    action(
        "Download {target}",
        "Download the file by clicking {target}",
        "Download the file with {target}",
        build=_download,
        description="Clicks an element and stores what it downloads in the session's directory.",
        examples=('Download the "Invoice" link', 'Download the file by clicking "Export"'),
    ),
    action(
        "Download {target} as/to {file}",
        "Download {target} as/to the file {file}",
        "Click {target} and save the download as {file}",
        "Click {target} and save the file as {file}",
        build=_download_as,
        description="Clicks an element and stores what it downloads under this name.",
        examples=('Download "Invoice" as "invoice.pdf"', 'Click "Export" and save the download as "all.csv"'),
    ),
)
