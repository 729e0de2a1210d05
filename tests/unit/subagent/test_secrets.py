"""Secret values: filled in by name, masked in every form, never shown by accident."""

import base64
import html
import json
import re
from pathlib import Path
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from nacl.public import PrivateKey

from muster_bus.sealing import fingerprint, make_private_key, read_key_file, seal, write_key_line
from muster_bus.secret_store import SecretStore
from muster_protocol.errors import InvalidRequest
from muster_protocol.sealed_secrets import SealedSecret
from muster_service.settings import SettingsError
from muster_subagent.known_secrets import KnownSecrets
from muster_subagent.secrets import SecretMissing, Secrets, read_secrets
from muster_text.masking import MASK, forms

VALUES = (
    "hunter2!",
    "p&ss w=rd?",
    'qu"ote\\back',
    "Füße~*'()",
    "a/b+c==",
    "<b>&amp;</b>",
    "line\nbreak",
    "%41%zz",
    "it's <a>/`b`",
)


def test_secrets_are_filled_in_by_name_and_everything_else_stays():
    secrets = Secrets({"PIN": "1234", "USER_2": "ada"})

    assert secrets.fill("${secret:USER_2}:${secret:PIN} ${order} ${PIN}") == "ada:1234 ${order} ${PIN}"


def test_a_secret_that_is_not_among_them_is_named_and_nothing_is_filled():
    with pytest.raises(SecretMissing, match="no secret OTHER: set SECRET_OTHER for the workers") as caught:
        Secrets({"PIN": "1234"}).fill("${secret:PIN}${secret:OTHER}")
    assert caught.value.name == "OTHER"


def test_a_value_that_looks_like_a_placeholder_is_not_filled_again():
    secrets = Secrets({"A": "${secret:B} \\1 \\g<0>", "B": "no"})

    assert secrets.fill("${secret:A}") == "${secret:B} \\1 \\g<0>"


def net_json(value: str) -> str:
    """Return a text as System.Text.Json puts it: all marks and letters beyond ASCII as numbers, in upper case."""
    marks = re.sub(r"[<>&'\"+`]|[^\x00-\x7f]", lambda mark: f"\0u{ord(mark[0]):04X}", value)
    return json.dumps(marks)[1:-1].replace("\\u0000", "\\")


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_masked_in_every_form_it_may_be_stored_in(value: str):
    mask = Secrets({"S": value}).mask
    forms = {
        "plain": value,
        "url path": quote(value),
        "url component": quote(value, safe=""),
        "url component by a browser": quote(value, safe="!'()*~"),
        "form": urlencode({"p": value}).partition("=")[2],
        "form by a browser": quote_plus(value, safe="*-._").replace("~", "%7E"),
        "json": json.dumps(value)[1:-1],
        "json as it is": json.dumps(value, ensure_ascii=False)[1:-1],
        "json in json": json.dumps(json.dumps({"p": value})),
        "python": repr(value)[1:-1],
        "json with escaped slashes": json.dumps(value)[1:-1].replace("/", "\\/"),
        "json for html": re.sub("[<>&]", lambda mark: f"\\u{ord(mark[0]):04x}", json.dumps(value)[1:-1]),
        "json of .NET": net_json(value),
        "json in json of .NET": net_json(net_json(value)),
        "html of Django": html.escape(value).replace("&#x27;", "&#39;"),
        "html of PHP": html.escape(value).replace("&#x27;", "&#039;"),
        "html with &apos;": html.escape(value).replace("&#x27;", "&apos;"),
        "html of Go": html.escape(value).replace("&#x27;", "&#39;").replace("&quot;", "&#34;"),
    }
    for name, form in forms.items():
        hidden = mask(f"before {form} after")
        assert value not in hidden, name
        assert form not in hidden, name
        assert MASK in hidden, name
        assert hidden.startswith("before ") or name.startswith("json in"), name
        assert hidden.endswith(" after"), name


@given(st.text(max_size=30))
def test_the_forms_of_a_value_are_not_too_many_and_none_is_empty(value: str):
    found = forms(value)
    assert len(found) < 400
    assert "" not in found


@given(st.binary(max_size=5), st.text(alphabet="abcXYZ019!&ü", min_size=8, max_size=20), st.binary(max_size=5))
def test_a_value_is_masked_in_base64_wherever_it_stands(before: bytes, value: str, after: bytes):
    secrets = Secrets({"S": value})
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        hidden = secrets.mask(encode(before + value.encode() + after).decode())
        assert MASK in hidden
        assert len(hidden.replace(MASK, "")) <= 4 * (len(before) + len(after) + 4)


@given(st.lists(st.sampled_from(VALUES), min_size=1, max_size=4, unique=True), st.text(max_size=20))
def test_no_value_survives_masking(values: list[str], other: str):
    secrets = Secrets({f"S{index}": value for index, value in enumerate(values)})
    text = other.join(["", *values, ""])

    assert not any(value in secrets.mask(text) for value in values)


def test_of_values_that_contain_each_other_the_longer_is_masked_as_one():
    assert Secrets({"A": "abc", "B": "abcdef"}).mask("abcdef abc") == f"{MASK} {MASK}"


def test_an_empty_value_masks_nothing():
    assert Secrets({"A": ""}).mask("text") == "text"


@given(st.text())
def test_without_secrets_every_text_stays_as_it_is(text: str):
    assert Secrets({}).mask(text) == text


def test_secrets_do_not_show_when_printed():
    secrets = Secrets({"PIN": "1234", "A": "5678"})

    assert repr(secrets) == str(secrets) == "Secrets(A, PIN)"
    assert "1234" not in f"{secrets!r} {secrets}"


def test_a_text_that_uses_a_secret_is_told_from_one_that_does_not():
    secrets = Secrets({})

    assert secrets.named_in('Type "${secret:PIN}"')
    assert not secrets.named_in("${PIN} secret:PIN ${secret:}")


def test_what_is_handed_out_does_not_change_the_secrets():
    secrets = Secrets({"PIN": "1234"})
    secrets.values()["PIN"] = "0"

    assert secrets.fill("${secret:PIN}") == "1234"


def write(folder: Path, text: str) -> str:
    path = folder / "secrets.env"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_of_the_environment_only_variables_with_the_prefix_are_secrets():
    assert read_secrets("", {"SECRET_PIN": "1", "PIN": "2", "HOME": "/"}) == {"PIN": "1"}


def test_a_file_wins_over_the_environment(tmp_path: Path):
    path = write(tmp_path, "PIN=2\nOTHER=3\n")

    assert read_secrets(path, {"SECRET_PIN": "1", "HOME": "/"}) == {"PIN": "2", "OTHER": "3"}


def test_in_a_file_the_prefix_may_stand_as_well(tmp_path: Path):
    assert read_secrets(write(tmp_path, "export SECRET_PIN=1\nOTHER=2\n"), {}) == {"PIN": "1", "OTHER": "2"}


@pytest.mark.parametrize(
    ("allowed", "names"),
    [
        ("", "SHOP_PIN SHOP_KEY BANK_PIN"),
        ("SHOP_*", "SHOP_PIN SHOP_KEY"),
        ("*_KEY, BANK_PIN", "SHOP_KEY BANK_PIN"),
        ("shop_*", ""),
        ("*", "SHOP_PIN SHOP_KEY BANK_PIN"),
        ("OTHER", ""),
    ],
)
def test_a_fleet_may_allow_some_of_them(tmp_path: Path, allowed: str, names: str):
    path = write(tmp_path, "SHOP_PIN=1\nSHOP_KEY=2\n")
    assert read_secrets(path, {"SECRET_BANK_PIN": "3"}, allowed).keys() == set(names.split())


@pytest.mark.parametrize("line", ["swordfish", "=swordfish", "export", "-----END PRIVATE KEY-----"])
def test_a_line_that_is_no_secret_is_refused_by_its_number_and_not_shown(tmp_path: Path, line: str):
    with pytest.raises(SettingsError) as refused:
        read_secrets(write(tmp_path, f"# secrets\nA=1\n{line}\n"), {})
    assert "line 3 is not NAME=value" in str(refused.value)
    assert line not in str(refused.value).partition("line 3")[2].replace("NAME=value", "")


def test_a_file_is_read_as_people_write_such_files(tmp_path: Path):
    lines = ["# comment", "", "export A=1", "B = two words ", "C='quoted # text'", 'D="x=y"', "  # note", "E=", "F=a#b"]
    path = write(tmp_path, "\n".join(lines))

    assert read_secrets(path, {}) == {
        "A": "1",
        "B": "two words",
        "C": "quoted # text",
        "D": "x=y",
        "E": "",
        "F": "a#b",
    }


class Sealed(SecretStore):
    """A store that holds these secrets."""

    def __init__(self, *secrets: SealedSecret) -> None:
        self._held = {secret.name: secret for secret in secrets}

    async def get(self, name: str) -> SealedSecret | None:
        return self._held.get(name)


KEY = make_private_key()
OTHER = make_private_key()


def sealed(name: str, value: str, key: PrivateKey = KEY) -> SealedSecret:
    public = bytes(key.public_key)
    return SealedSecret(name=name, sealed=seal(name, value, public), key=fingerprint(public))


async def test_a_case_gets_the_secrets_it_lists_and_no_others():
    known = KnownSecrets({"A": "1", "B": "2", "C": "3"}, Sealed(), ())
    assert await known.choose(("A", "C")) == {"A": "1", "C": "3"}


async def test_a_secret_that_a_case_lists_and_nobody_knows_is_named():
    with pytest.raises(
        SecretMissing, match="no secret B: set SECRET_B for the workers, put it into their SECRETS_FILE"
    ):
        await KnownSecrets({"A": "1"}, Sealed(), ()).choose(("A", "B"))


async def test_a_sealed_secret_is_opened_with_the_workers_key_and_its_own_ones_come_first():
    store = Sealed(sealed("A", "stored"), sealed("B", "stored"))
    assert await KnownSecrets({"A": "own"}, store, (OTHER, KEY)).choose(("A", "B")) == {"A": "own", "B": "stored"}


@pytest.mark.parametrize(
    ("secret", "keys", "allowed", "said"),
    [
        (sealed("A", "x"), (), "", "no key to open it: give it the file .* as SECRETS_KEY_FILE"),
        (sealed("A", "x"), (OTHER,), "", "is sealed to the key .*`muster secrets set A` seals it anew"),
        (sealed("A", "x"), (KEY,), "SHOP_*", "no secret A"),
        (replace(sealed("B", "x"), name="A"), (KEY,), "", "the seal of secret A is broken"),
        (replace(sealed("A", "x"), sealed=b"x" * 99), (KEY,), "", "the seal of secret A is broken"),
    ],
)
async def test_a_sealed_secret_that_may_not_be_opened_is_not(
    secret: SealedSecret, keys: tuple[PrivateKey, ...], allowed: str, said: str
):
    with pytest.raises(SecretMissing, match=said):
        await KnownSecrets({}, Sealed(secret), keys, allowed).choose(("A",))


def test_a_seal_tells_neither_value_nor_length_and_a_key_file_is_read_as_it_was_written(tmp_path: Path):
    short, long = seal("A", "x", bytes(KEY.public_key)), seal("A", "swordfish" * 10, bytes(KEY.public_key))
    assert len(short) == len(long)
    assert b"swordfish" not in long
    file = tmp_path / "key"
    file.write_text(write_key_line(KEY) + write_key_line(OTHER))
    assert [bytes(key) for key in read_key_file(str(file))] == [bytes(KEY), bytes(OTHER)]
    file.write_text("hunter2")
    with pytest.raises(InvalidRequest, match="is not a workers' key file") as caught:
        read_key_file(str(file))
    assert "hunter2" not in str(caught.value)
