"""Values and secrets in shell commands stay data: shown with a real shell."""

import pytest

from muster_subagent.tools.shell_quoting import with_values
from muster_text.values import UnknownValue


def test_a_simple_value_stays_readable() -> None:
    assert with_values("curl ${url}/cart", {"url": "http://127.0.0.1:8000"}) == "curl http://127.0.0.1:8000/cart"


def test_variables_of_the_shell_are_left_to_it() -> None:
    command = 'for f in a b; do echo "${f}"; done; x=1; echo ${x} ${HOME} $x'
    assert with_values(command, {}) == command
    with pytest.raises(UnknownValue, match="order"):
        with_values("echo ${order}", {})


def test_values_leave_secrets_as_they_are() -> None:
    assert with_values("x ${secret:PIN} ${v}", {"v": "1"}) == "x ${secret:PIN} 1"
