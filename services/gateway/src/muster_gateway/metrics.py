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
KEYS_PROBLEM = Gauge("muster_gateway_keys_problem", "1 while the keys file cannot be used and older keys are in force")
RELAY_CLIENTS = Gauge("muster_gateway_relay_clients", "Clients of the relay of many runs' logs", ["transport"])
RELAY_LINES = Counter("muster_gateway_relay_lines_sent", "Log lines the relay handed to clients", ["transport"])
RELAY_FRAMES = Counter("muster_gateway_relay_frames_sent", "Frames these lines were sent in", ["transport"])
RELAY_MISSED = Counter("muster_gateway_relay_lines_missed", "Log lines that clients were too slow for")
RELAY_BACKLOG = Counter("muster_gateway_relay_backlog_lines", "Log lines read from the stream for single clients")
RELAY_BACK_FILLS = Counter("muster_gateway_relay_back_fills", "Times a client asked for what it had missed")
RELAY_WAITING = Gauge("muster_gateway_relay_lines_waiting", "Log lines that wait for the relay's clients to take them")
RELAY_LAG = Histogram(
    "muster_gateway_relay_lag_seconds",
    "From the bus storing a log line to the relay handing it on to its clients; of some lines, not of each",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
RELAY_GAPS = Counter("muster_gateway_relay_gaps", "Gaps in what came live, read from the stream for all clients")
WEBHOOKS = Counter(
    "muster_gateway_webhooks", "Attempts to tell a verdict over HTTP, and what came of them", ["outcome"]
)
WEBHOOK_SECONDS = Histogram("muster_gateway_webhook_seconds", "Time until a receiver of webhooks answered or failed")


def begin() -> None:
    """Have what is known beforehand begin at 0, so that the first of a kind shows as an increase."""
    for transport in ("websocket", "sse"):
        for counter in (LOG_LINES, LOG_CLIENTS_DROPPED, RELAY_LINES, RELAY_FRAMES):
            counter.labels(transport)
    for outcome in ("taken", "failed", "given up"):
        WEBHOOKS.labels(outcome)
