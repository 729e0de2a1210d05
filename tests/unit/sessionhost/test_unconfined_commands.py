"""Commands that nothing confines: what a model made up is refused there, what the case says is run."""

import pytest

from muster_protocol.session_requests import Exec
from muster_protocol.sessions import Holder
from muster_sessionhost.sandbox import Sandbox

HOLDER = Holder(dispatch=1, delivery=1, worker="w")


def asked(**more: object) -> Exec:
    return Exec(run="r", name="main", holder=HOLDER, call="c", command="npm test", **more)  # type: ignore[arg-type]


def test_without_a_sandbox_a_models_command_is_refused_asked_about_or_allowed() -> None:
    bare = Sandbox()
    refused = bare.refusal(asked(), "refuse")
    assert refused is not None
    assert refused.reason == "no_sandbox"
    assert "bubblewrap" in refused.text
    assert "UNSANDBOXED_MODEL_COMMANDS" in refused.text
    unapproved = bare.refusal(asked(), "ask")
    assert unapproved is not None
    assert unapproved.reason == "needs_approval"
    assert bare.refusal(asked(approved=True), "ask") is None
    assert bare.refusal(asked(approved=True), "refuse") is not None
    assert bare.refusal(asked(), "allow") is None
    assert bare.refusal(asked(author="case"), "refuse") is None


@pytest.mark.parametrize("sandbox", [Sandbox("/usr/bin/bwrap"), Sandbox(contained=True)])
def test_where_something_confines_commands_all_are_run(sandbox: Sandbox) -> None:
    assert sandbox.refusal(asked(), "refuse") is None
