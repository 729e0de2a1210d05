"""Make .env for docker-compose from example.env, with passwords and a key for the gateway. Needs nothing but Python."""

import os
import re
import secrets
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EMPTY_PASSWORD = re.compile(r"^(NATS_[A-Z]+_PASSWORD|GATEWAY_API_KEY)=$", re.MULTILINE)


def with_passwords(text: str) -> str:
    """Return the text with missing passwords filled in; each starts with a letter, as nats.conf requires."""
    return EMPTY_PASSWORD.sub(lambda found: f"{found[1]}=p{secrets.token_hex(16)}", text)


def main(target: Path) -> None:
    """Write the file with mode 0600; never overwrite an existing one."""
    text = with_passwords((ROOT / "example.env").read_text(encoding="utf-8"))
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        sys.exit(f"{target} exists: remove it to get new passwords, or edit it")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{target}: {len(EMPTY_PASSWORD.findall((ROOT / 'example.env').read_text()))} passwords and keys made")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".env")
