"""Write example.env and docs/settings.md from the settings structs.

Names, defaults and bounds come from the fields, meanings from the docstrings below them. `--check` writes nothing and
fails if the files are out of date.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from muster_gateway.settings import GatewaySettings
from muster_orchestrator.settings import OrchestratorSettings
from muster_service.setting_texts import Setting, settings_of
from muster_service.settings import BusSettings
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.settings import SubAgentSettings

ROOT = Path(__file__).resolve().parents[1]
USERS = ("orchestrator", "subagent", "sessions", "gateway", "provisioner", "admin", "publisher")


class Section(NamedTuple):
    """The variables of a service."""

    title: str
    settings: tuple[Setting, ...]


SERVICES: tuple[tuple[str, type[Struct]], ...] = (
    ("Orchestrator", OrchestratorSettings),
    ("Sub-agent worker", SubAgentSettings),
    ("Session host", SessionHostSettings),
    ("Gateway", GatewaySettings),
)

COMPOSE = Section(
    "docker-compose",
    (
        *(
            Setting(f"NATS_{user.upper()}_PASSWORD", "", "text", f"Password of the NATS user {user}; required.", True)
            for user in USERS
        ),
        Setting("GATEWAY_API_KEY", "", "text", "Key of role admin for the gateway's API and console; required.", True),
        Setting("NATS_PORT", "4222", "port", "Where outside systems reach NATS, on loopback of this machine."),
        Setting("GATEWAY_PORT", "8080", "port", "Where people reach the gateway, on loopback of this machine."),
        Setting("PROMETHEUS_PORT", "9090", "port", "Where people reach Prometheus, on loopback of this machine."),
        Setting("GRAFANA_PORT", "3000", "port", "Where people reach Grafana, if the profile `grafana` is on."),
        Setting("SESSIONS_MEMORY", "6g", "size", "Memory of one container of session hosts; about 0.5 GB a browser."),
        Setting("WORKER_SECRETS", "deploy/secrets.example.env", "path", "File of NAME=value lines, for workers alone."),
    ),
)


def sections() -> tuple[Section, ...]:
    """Return all sections: every service, each service, docker-compose."""
    common = Section("Every service", settings_of(BusSettings))
    known = {setting.variable for setting in common.settings}
    added = (
        Section(title, tuple(setting for setting in settings_of(kind) if setting.variable not in known))
        for title, kind in SERVICES
    )
    return (common, *added, COMPOSE)


def example_env() -> str:
    """Return example.env: every variable with its default, commented out, and empty passwords."""
    lines = [
        "# Every setting of a fleet, with its default. deploy/make_settings_docs.py generates this file from the code.",
        "# With docker-compose: `python3 deploy/make_env.py` copies this to .env and fills in the passwords.",
        "# Without: export what you change before you start a service. An empty value counts as not set.",
    ]
    *services, compose = sections()
    for section in (compose, *services):
        lines += ["", f"# --- {section.title} ---"]
        for setting in section.settings:
            given = "" if setting.required else "# "
            lines += [f"# {setting.meaning}", f"{given}{setting.variable}={setting.default}"]
    return "\n".join(lines) + "\n"


def settings_page() -> str:
    """Return docs/settings.md: one table per section."""
    parts = [
        "# Settings",
        "```\nACT_SLOTS=4 METRICS_PORT=9102 muster subagent     # settings are environment variables"
        "\npython -m muster_subagent --help                  # lists those of a service\n```",
        "Services read their settings once, when they start. An empty value counts as not set. An invalid value ends"
        " the process with exit code 2 and a line that names the variable and what is valid. A variable whose name is"
        " almost that of a setting is a warning in the log. `example.env` has the same list to copy from."
        " `deploy/make_settings_docs.py` generates this page from the code.",
    ]
    for section in sections():
        rows = [
            f"| `{setting.variable}` | {f'`{setting.default}`' if setting.default else ''} | {setting.values}"
            f" | {setting.meaning.replace('|', chr(92) + '|')} |"
            for setting in section.settings
        ]
        table = ["| variable | default | values | meaning |", "|---|---|---|---|", *rows]
        parts += [f"## {section.title}", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


FILES = {"example.env": example_env, "docs/settings.md": settings_page}


def main(check: bool) -> int:
    """Write the files that are out of date; with `check`, only report them. Return the exit code."""
    made = {ROOT / name: render() for name, render in FILES.items()}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.name} is out of date: run deploy/make_settings_docs.py", file=sys.stderr)
        else:
            path.write_text(made[path], encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
