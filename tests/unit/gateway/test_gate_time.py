"""Keys and logins expire by the fleet's time, which is the same at each gateway, whatever a machine's clock says."""

import time
from pathlib import Path

from muster_gateway.security.api_keys import build_stored_key, format_line, make_key
from muster_gateway.security.gate import Cookie, Credentials, Gate
from muster_gateway.settings import GatewaySettings

DAY = 86_400


def test_a_key_and_its_login_expire_by_the_time_that_the_gate_is_given(tmp_path: Path):
    key, made, fleet = make_key(), int(time.time()) - 10 * DAY, [0.0]
    file = tmp_path / "keys"
    file.write_text(format_line(build_stored_key("dated", "viewer", key, made, made + DAY)) + "\n")
    file.chmod(0o600)
    gate = Gate(GatewaySettings(api_keys_file=str(file), login_hours=1.0), lambda: fleet[0])
    shown = Credentials("127.0.0.1", "/runs", key=key)

    fleet[0] = made + 100.0  # this machine's clock is ten days ahead
    assert gate.admit(shown).refused is None
    assert gate.key_named("dated") is not None
    cookie = gate.login(key, "127.0.0.1")
    assert isinstance(cookie, Cookie)
    with_cookie = Credentials("127.0.0.1", "/runs", cookies=(cookie.value,))
    assert gate.admit(with_cookie).caller.name == "dated"

    fleet[0] = made + 2 * 3_600.0
    assert gate.admit(with_cookie).caller.name == ""
    assert gate.admit(shown).refused is None
    fleet[0] = made + 2.0 * DAY
    refused = gate.admit(shown).refused
    assert refused is not None and "expired at" in refused.reason
    assert gate.key_named("dated") is None
