"""Metrics of the gateway."""

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("muster_gateway_requests", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "muster_gateway_response_seconds",
    "Time until the first byte of an answer",
    ["route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
LOG_CLIENTS = Gauge("muster_gateway_log_clients", "Clients that follow a log", ["transport"])
LOG_LINES = Counter("muster_gateway_log_lines_sent", "Log lines sent to clients", ["transport"])
LOG_CLIENTS_DROPPED = Counter("muster_gateway_log_clients_dropped", "Clients disconnected as slow", ["transport"])
CHAT_CLIENTS = Gauge("muster_gateway_chat_clients", "Clients that follow a conversation")
KEYS_PROBLEM = Gauge("muster_gateway_keys_problem", "1 while the keys file is unusable and earlier keys stay valid")
RELAY_CLIENTS = Gauge("muster_gateway_relay_clients", "Clients of /logs, which follow many runs", ["transport"])
RELAY_LINES = Counter("muster_gateway_relay_lines_sent", "Log lines sent to clients of /logs", ["transport"])
RELAY_FRAMES = Counter("muster_gateway_relay_frames_sent", "Frames sent to clients of /logs", ["transport"])
RELAY_MISSED = Counter("muster_gateway_relay_lines_missed", "Log lines not sent to clients that were too slow")
RELAY_BACKLOG = Counter("muster_gateway_relay_backlog_lines", "Stored log lines read for individual clients")
RELAY_BACK_FILLS = Counter("muster_gateway_relay_back_fills", "Requests of clients of /logs for lines that they missed")
RELAY_WAITING = Gauge("muster_gateway_relay_lines_waiting", "Log lines queued for clients, summed over clients")
RELAY_LAG = Histogram(
    "muster_gateway_relay_lag_seconds",
    "Time from storing a log line to sending it to clients; sampled",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
RELAY_GAPS = Counter("muster_gateway_relay_gaps", "Gaps in the live lines that were filled from the stream")
WEBHOOKS = Counter("muster_gateway_webhooks", "Attempts to post a verdict to a webhook, by outcome", ["outcome"])
WEBHOOK_SECONDS = Histogram("muster_gateway_webhook_seconds", "Duration of an attempt to post a webhook")


def begin() -> None:
    """Create known label values at 0, so that the first count shows as an increase."""
    for transport in ("websocket", "sse"):
        for counter in (LOG_LINES, LOG_CLIENTS_DROPPED, RELAY_LINES, RELAY_FRAMES):
            counter.labels(transport)
    for outcome in ("taken", "failed", "given up"):
        WEBHOOKS.labels(outcome)
