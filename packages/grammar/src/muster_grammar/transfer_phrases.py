"""Phrases for files that go up or down."""

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.target_parser import Target


def _upload(files: tuple[str, ...], target: Target) -> Calls:
    """A picture that is handed over is what the field is called by: "as profile picture"."""
    if target.role == "image":
        target = target._replace(element=f"{target.element} {target.noun}".strip(), role="")
    return (call("browser_upload", **target.arguments(field=True), files=list(files)),)


def _upload_only(files: tuple[str, ...]) -> Calls:
    """Return the upload into the file field that the last click opened, or the only one of the page."""
    return (call("browser_upload", element="", files=list(files)),)


def _download(target: Target) -> Calls:
    return (call("browser_download", **target.arguments()),)


def _download_as(target: Target, file: str) -> Calls:
    return (call("browser_download", **target.arguments(), save_as=file),)


TRANSFERS: tuple[Phrase, ...] = (
    action(
        "Upload {files} to/into/in/for/with/using/via/through {target}",
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
        "Upload {files}",
        "Upload the (test/fixture/sample) file (named/called) {files}",
        build=_upload_only,
        description="Hands files of the session's directory to the page's only file field, or to the one just opened.",
        examples=('Upload the file "cv.pdf"',),
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
