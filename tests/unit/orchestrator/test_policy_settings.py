"""What a run is decided by can be set: each value of the policy has a setting of its own."""

from msgspec.structs import asdict, fields, replace

from muster_orchestrator.settings import OrchestratorSettings
from muster_protocol.events import Policy


def another(value: float | str) -> float | str:
    if isinstance(value, bool):
        return not value
    return f"{value}x" if isinstance(value, str) else value + 1


def test_each_value_of_the_policy_follows_one_setting():
    defaults = asdict(Policy())
    followed: list[str] = []
    for setting in fields(OrchestratorSettings):
        if isinstance(setting.default, int | float | str):
            changed = replace(OrchestratorSettings(), **{setting.name: another(setting.default)})
            followed += [name for name, value in asdict(changed.policy()).items() if value != defaults[name]]
    assert sorted(followed) == sorted((*defaults, "checkers"))  # critic and validator have a setting each


def test_what_is_not_set_is_as_the_policy_has_it():
    assert OrchestratorSettings().policy() == Policy()
