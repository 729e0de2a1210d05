"""`python -m muster_gateway`: run the gateway until told to stop."""

import gc
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from muster_bus import Bus
from muster_bus.process_row import Running
from muster_bus.service import main
from muster_gateway.service import service
from muster_gateway.settings import GatewaySettings


@asynccontextmanager
async def frozen_service(bus: Bus, settings: GatewaySettings) -> AsyncGenerator[Running]:
    """Run the service with everything loaded so far excluded from garbage collection."""
    async with service(bus, settings) as running:
        gc.collect()
        gc.freeze()
        yield running


if __name__ == "__main__":
    main("gateway", GatewaySettings, frozen_service)
