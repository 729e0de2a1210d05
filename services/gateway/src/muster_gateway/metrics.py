"""What the gateway counts."""

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("muster_gateway_requests", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "muster_gateway_response_seconds",
    "Time until the first byte of an answer",
    ["route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
LOG_CLIENTS = Gauge("muster_gateway_log_clients", "Clients that follow a log", ["transport"])
LOG_LINES = Counter("muster_gateway_log_lines_sent", "Log lines handed to clients", ["transport"])
LOG_CLIENTS_DROPPED = Counter("muster_gateway_log_clients_dropped", "Clients cut off as too slow", ["transport"])
