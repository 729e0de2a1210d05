"""What a real shell makes of a command into which values and secrets were put."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster_subagent.tools.shell_quoting import with_secrets, with_values


def shell(command: str, **environment: str) -> str:
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
        env={"PATH": "/bin", **environment},
    )
    return done.stdout


ODD = "a b'c\"d $(echo x) `echo y` \\ ; & * ${HOME}"


@pytest.mark.parametrize("place", ["${v}", '"${v}"', "'${v}'", "x${v}y", '"x ${v} y"', "'x ${v} y'", '"it\'s ${v}"'])
def test_a_value_is_one_word_wherever_it_stands(place: str) -> None:
    written = shell(f"printf '%s' {with_values(place, {'v': ODD})}")
    plain = place.strip("\"'").replace("${v}", ODD)
    assert written == plain


@settings(max_examples=30, deadline=None)
@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=30)
)
def test_no_value_breaks_out_of_its_place(value: str) -> None:
    command = "printf '%s|' ${v} \"${v}\" '${v}'"
    assert shell(with_values(command, {"v": value})) == f"{value}|" * 3


def test_secrets_become_environment_variables() -> None:
    prepared = with_secrets("login ${secret:PIN} \"user:${secret:PIN}\" 'x${secret:OTHER}y'")
    assert prepared.text == 'login "$PIN" "user:${PIN}" \'x\'"$OTHER"\'y\''
    assert prepared.secrets == ("PIN", "OTHER")
    assert shell(prepared.text.replace("login", "printf '%s|'"), PIN=ODD, OTHER="o") == f"{ODD}|user:{ODD}|xoy|"
