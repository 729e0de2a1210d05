"""A simulated device with both halves of the port: a host keeps it, a worker uses it."""

from shop_screens import shop_spec

from muster_devices.actions import Enter, Outcome, Point, Scope, Target
from muster_devices.device_host import Saved
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.screens.screens_host import ScreensHost
from muster_protocol.narrowing import Relation
from muster_protocol.sessions import Holder
from muster_text.redaction import Redactor

SCOPE = Scope()


LIMIT = 5.0


def redactor(*secrets: str) -> Redactor:
    return Redactor(secrets)


def holder(dispatch: int = 1, delivery: int = 1) -> Holder:
    return Holder(dispatch=dispatch, delivery=delivery, worker="test")


class Stage:
    """One device, its host and a worker."""

    def __init__(self, host: ScreensHost, device: HostedDevice) -> None:
        self.host, self.device = host, device

    async def tap(self, name: str, role: str = "", within: str = "") -> Outcome:
        relations = (Relation("in", within),) if within else ()
        return await self.device.do(Point(target=Target(name=name, role=role, relations=relations)), SCOPE, LIMIT)

    async def type(self, name: str, text: str) -> Outcome:
        return await self.device.do(Enter(target=Target(name=name), text=text), SCOPE, LIMIT)

    async def log_in(self) -> Outcome:
        await self.type("User name", "tester")
        await self.type("Password", "swordfish")
        return await self.tap("Log in", "button")


async def opened(*faults: str, saved: Saved | None = None) -> Stage:
    host = ScreensHost()
    await host.open(shop_spec(*faults), saved)
    return Stage(host, await HostedDevice.connect(await host.grant(holder(), True)))


async def closed(stage: Stage) -> None:
    await stage.device.close()
    await stage.host.close(True)
