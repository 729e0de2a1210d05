"""Embedded mode with small services of the test's own: started, watched, restarted, stopped."""

from pathlib import Path

import pytest
from msgspec.structs import fields

from muster_cli.child_process import describe_exit
from muster_cli.embedded import Plan, build_specs, fleet_environment
from muster_model import ModelSettings


def test_a_private_fleet_takes_over_nothing_of_the_users_own():
    environ = {"PATH": "/bin", "NATS_URL": "nats://prod", "NATS_USER": "u", "MUSTER_PREFIX": "team", "MAX_RUNS": "9"}
    environ |= {"NATS_TLS_CA": "/ca", "NATS_TLS_CERT": "/cert", "NATS_TLS_KEY": "/key"}
    env = fleet_environment(environ, Plan(max_runs=4, port=80), "nats://127.0.0.1:1", Path("/w"))
    assert {name: env[name] for name in ("PATH", "NATS_URL", "MAX_RUNS", "HTTP_PORT", "PORT_FILE")} == {
        "PATH": "/bin",
        "NATS_URL": "nats://127.0.0.1:1",
        "MAX_RUNS": "9",
        "HTTP_PORT": "80",
        "PORT_FILE": "/w/gateway.port",
    }
    assert "NATS_USER" not in env and "MUSTER_PREFIX" not in env
    assert not [name for name in env if name.startswith("NATS_TLS_")]


def test_a_fleet_on_the_users_server_uses_the_users_access():
    env = fleet_environment({"NATS_USER": "u"}, Plan(nats_url="nats://prod"), "nats://prod", Path("/w"))
    assert (env["NATS_USER"], env["NATS_URL"]) == ("u", "nats://prod")


def test_only_workers_see_secrets_and_model_keys():
    plan = Plan(workers=3, worker_env={"SECRETS_FILE": "/s"})
    keys = {it.encode_name for it in fields(ModelSettings) if "api_key" in it.name}
    assert len(keys) == 4
    made = build_specs(plan, {"SECRET_PIN": "1234", "PATH": "/bin", **dict.fromkeys(keys, "k")})
    assert [spec.name for spec in made] == [
        "orchestrator",
        "subagent-1",
        "subagent-2",
        "subagent-3",
        "sessions",
        "gateway",
    ]
    for spec in made:
        secret = {"SECRET_PIN", "SECRETS_FILE", *keys} & set(spec.env)
        assert len(secret) == (6 if spec.name.startswith("subagent") else 0)


def test_only_the_gateway_sees_its_key_and_a_case_may_call_a_secret_so():
    env = {"SECRET_API_KEY": "of the case"}
    made = {spec.name: spec for spec in build_specs(Plan(workers=1), env, "of the gateway")}
    seen = {name: (spec.env.get("SECRET_API_KEY"), spec.env.get("API_KEY")) for name, spec in made.items()}
    assert seen == {
        "orchestrator": (None, None),
        "subagent-1": ("of the case", None),
        "sessions": (None, None),
        "gateway": (None, "of the gateway"),
    }
    assert not any("of the gateway" in argument for spec in made.values() for argument in spec.command)


def test_the_gateway_of_a_private_fleet_listens_on_loopback_whatever_the_user_has_set():
    env = fleet_environment({"HTTP_HOST": "0.0.0.0"}, Plan(), "nats://127.0.0.1:1", Path("/w"))
    assert env["HTTP_HOST"] == "127.0.0.1"


@pytest.mark.parametrize(("code", "words"), [(0, "ended with exit code 0"), (-15, "was ended by SIGTERM")])
def test_exit_codes_are_told_in_words(code: int, words: str):
    assert describe_exit(code) == words
