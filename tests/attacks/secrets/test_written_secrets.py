"""Secrets as pages, programs and models write them: whatever the form, what is stored does not hold it."""

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote

from muster_text.file_redaction import redact_file
from muster_text.masking import MASK
from muster_text.redaction import Redactor

SECRETS = ("7351", "swordfish", "Sw0rd-fish!", "grüße'n\"<&>", "päss wörd", "a+b/c=d", "密码秘密")
WRITERS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "swapped": str.swapcase,
    "hex": lambda text: text.encode().hex(),
    "HEX": lambda text: text.encode().hex().upper(),
    "percent": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "PERCENT": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "url": lambda text: quote(text, safe=""),
    "entities": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "hex entities": lambda text: "".join(f"&#x{ord(one):x};" for one in text),
    "HEX entities": lambda text: "".join(f"&#x{ord(one):X};" for one in text),
    "html": html.escape,
    "\\x": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "\\u": lambda text: "".join(
        f"\\u{text.encode('utf-16-be').hex()[at : at + 4]}" for at in range(0, 4 * len(text), 4)
    ),
    "\\U": lambda text: "".join(
        f"\\u{text.encode('utf-16-be').hex()[at : at + 4].upper()}" for at in range(0, 4 * len(text), 4)
    ),
    "json": json.dumps,
    "JSON in JSON": lambda text: json.dumps(json.dumps({"key": text})),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 at 1": lambda text: base64.b64encode(f"k{text}".encode()).decode(),
    "base64 at 2": lambda text: base64.b64encode(f"k={text}".encode()).decode(),
    "base64 within": lambda text: base64.b64encode(f"user:{text};more".encode()).decode(),
    "url-safe base64": lambda text: base64.urlsafe_b64encode(f"user:{text};more".encode()).decode(),
    "double base64": lambda text: base64.b64encode(base64.b64encode(f"user:{text};more".encode())).decode(),
    "double base64 at 1": lambda text: base64.b64encode(b"a" + base64.b64encode(text.encode())).decode(),
}


SHORT = "pin"
"""Too short to be told apart within a longer base64 text: three letters stand in any of them."""
FORMS = [
    *((writer, secret) for secret in SECRETS for writer in WRITERS),
    *((writer, SHORT) for writer in WRITERS if "base64" not in writer or writer == "base64"),
]


def test_no_form_of_a_secret_is_left():
    for writer, secret in FORMS:
        redactor = Redactor([secret])
        shown = f"<p>before {WRITERS[writer](secret)} after</p>"
        assert redactor.holds(shown), (writer, secret)
        assert redactor.holds(shown.encode()), (writer, secret)
        masked = redactor.mask(shown)
        assert MASK in masked
        assert not redactor.holds(masked), (writer, secret)
        assert redact_file("page.html", shown.encode(), redactor) == masked.encode()


def test_texts_without_a_secret_stay_as_they_are():
    redactor = Redactor(SECRETS)
    text = "The quick brown fox, 7352 of them; data:image/png;base64,iVBORw0KGgoAAAANSUhEUg== &#x41; %41 \\u0041"
    assert redactor.mask(text) == text
    assert redactor.spans(text) == []
