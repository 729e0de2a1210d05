"""`python -m muster_gateway`: run the gateway until told to stop."""

from muster_gateway.service import service
from muster_gateway.settings import GatewaySettings
from muster_protocol.service import main

if __name__ == "__main__":
    main("gateway", GatewaySettings, service)
