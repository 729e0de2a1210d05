"""The bundled shop as a simulated device, for tests."""

from pathlib import Path

from muster_devices.device_host import Spec
from muster_devices.screens.app import App
from muster_devices.screens.app_loader import load_app

SHOP = Path(__file__).parents[2] / "examples" / "screens" / "shop.yaml"


def shop() -> App:
    """Return the shop."""
    return load_app(SHOP.read_text("utf-8"), SHOP.name)


def shop_spec(*faults: str) -> Spec:
    """Return what a session host is asked for to open the shop."""
    return Spec(kind="screens", definition=SHOP.read_text("utf-8"), source=SHOP.name, faults=faults)


def app_of(screens: str, rest: str = "") -> App:
    """Return an app from the YAML of its screens; the first is shown at first."""
    start = screens.strip().partition(":")[0]
    indented = "\n".join(f"  {line}" for line in screens.strip("\n").splitlines())
    return load_app(f"app: test\nstart: {start}\nscreens:\n{indented}\n{rest}", "test.yaml")
