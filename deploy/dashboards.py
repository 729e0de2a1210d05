"""The queries and panels of the Grafana dashboards; make_dashboards.py writes them in Grafana's form."""

from typing import NamedTuple


class Query(NamedTuple):
    """A query of a panel, and the legend of its series."""

    expr: str
    legend: str = ""


class Panel(NamedTuple):
    """A panel; `unit` is one of Grafana's."""

    title: str
    queries: tuple[Query, ...]
    unit: str = "short"
    meaning: str = ""
    width: int = 8
    stat: bool = False
    stacked: bool = False


class Dashboard(NamedTuple):
    """A dashboard: file name, and rows of panels."""

    name: str
    title: str
    panels: tuple[Panel, ...]


def quantiles(name: str, by: str, *shares: float) -> tuple[Query, ...]:
    """Return quantiles of a histogram, split by a label."""
    group, called = (f"{by}, le", f"{{{{{by}}}}} ") if by else ("le", "")
    return tuple(
        Query(
            f"histogram_quantile({share}, sum by ({group}) (rate({name}_bucket[$__rate_interval])))",
            f"{called}p{share * 100:g}",
        )
        for share in shares
    )


def rate(name: str, *by: str) -> tuple[Query]:
    """Return the rate of a counter per second, split by labels."""
    return (
        Query(f"sum by ({', '.join(by)}) (rate({name}[$__rate_interval]))", " ".join(f"{{{{{it}}}}}" for it in by)),
    )


def sampled(name: str, *by: str) -> tuple[Query]:
    """Return a gauge that all orchestrators read from NATS with the same value."""
    return (Query(f"max by ({', '.join(by)}) ({name})", " ".join(f"{{{{{it}}}}}" for it in by)),)


def stat(title: str, expr: str, unit: str = "short", width: int = 4) -> Panel:
    """Return a panel of one number."""
    return Panel(title, (Query(expr),), unit, width=width, stat=True)


FLEET = Dashboard(
    "fleet",
    "Muster: fleet",
    (
        stat("Orchestrators", 'count(muster_service_info{service="orchestrator"})'),
        stat("Workers", 'count(muster_service_info{service="subagent"})'),
        stat("Session hosts", 'count(muster_service_info{service="sessions"})'),
        stat("Active runs", "sum(muster_runs_active)"),
        stat("Sub-tasks that wait", 'sum(max by (queue, priority) (muster_queue_pending{queue=~"TASKS/.*"}))'),
        stat("Dead letters, 24 h", "sum(increase(muster_dead_letters_total[1d]))"),
        stat("Unexpected errors, 24 h", "sum(increase(muster_faults_total[1d]))"),
        Panel("Waiting messages", sampled("muster_queue_pending", "queue", "priority"), meaning="Not delivered yet."),
        Panel("Oldest waiting message", sampled("muster_queue_oldest_waiting_seconds", "queue", "priority"), "s"),
        Panel(
            "Slots",
            (
                Query("sum by (queue) (muster_slots_busy)", "{{queue}} in use"),
                Query("sum by (queue) (muster_slots)", "{{queue}} total"),
            ),
            meaning="All in use while more waits: start more workers.",
        ),
        Panel(
            "Queue to worker",
            quantiles("muster_subtask_schedule_to_start_seconds", "pool", 0.5, 0.99),
            "s",
            "How long sub-tasks wait for a worker.",
        ),
        Panel(
            "Sessions",
            (
                Query("sum(muster_sessions_open)", "open"),
                Query("sum(muster_sessions_limit)", "limit"),
            ),
        ),
        Panel(
            "Run start to session",
            quantiles("muster_session_wait_seconds", "", 0.5, 0.99),
            "s",
            "Includes the time in line. If it grows, start more session hosts.",
        ),
        Panel("Sessions that ended", rate("muster_sessions_ended_total", "reason"), "ops", stacked=True),
        Panel(
            "Takeovers, lost claims, fencing",
            (
                Query("sum(increase(muster_run_takeovers_total[$__rate_interval]))", "runs taken over"),
                Query("sum(increase(muster_subtask_takeovers_total[$__rate_interval]))", "sub-tasks taken over"),
                Query("sum(increase(muster_claims_lost_total[$__rate_interval]))", "claims lost"),
                Query("sum(increase(muster_runs_fenced_total[$__rate_interval]))", "runs left to another owner"),
                Query(
                    "sum(increase(muster_subtasks_fenced_total[$__rate_interval]))", "sub-tasks left to another worker"
                ),
            ),
            meaning="A process that dies causes a few; a steady rate is a problem.",
        ),
        Panel("Redeliveries", rate("muster_redeliveries_total", "queue"), "ops"),
        Panel("Runs without worker pool or session host", (Query("sum by (what) (muster_runs_unserved)", "{{what}}"),)),
        Panel("Event loop lag, p99", quantiles("muster_event_loop_lag_seconds", "job", 0.99), "s"),
        Panel("Memory", (Query("process_resident_memory_bytes", "{{job}} {{instance}}"),), "bytes"),
        Panel("Open files", (Query("process_open_fds", "{{job}} {{instance}}"),)),
        Panel("Processor time", rate("process_cpu_seconds_total", "job"), "percentunit"),
        Panel("Versions", (Query("count by (service, version) (muster_service_info)", "{{service}} {{version}}"),)),
        Panel("Processes up", (Query("sum by (job) (up)", "{{job}}"),)),
        Panel("Gateway requests", rate("muster_gateway_requests_total", "status"), "reqps", stacked=True),
        Panel("Gateway response time", quantiles("muster_gateway_response_seconds", "", 0.5, 0.99), "s"),
        Panel(
            "Log clients",
            (
                Query("sum by (transport) (muster_gateway_log_clients)", "one run, {{transport}}"),
                Query("sum by (transport) (muster_gateway_relay_clients)", "many runs, {{transport}}"),
            ),
        ),
        Panel(
            "Log lines to clients",
            (
                Query("sum(rate(muster_gateway_log_lines_sent_total[$__rate_interval]))", "of one run"),
                Query("sum(rate(muster_gateway_relay_lines_sent_total[$__rate_interval]))", "of many runs"),
                Query("sum(rate(muster_gateway_relay_lines_missed_total[$__rate_interval]))", "missed by slow clients"),
            ),
            "ops",
        ),
        Panel("Log relay lag", quantiles("muster_gateway_relay_lag_seconds", "", 0.5, 0.99), "s"),
        Panel("Log lines queued for clients", (Query("sum(muster_gateway_relay_lines_waiting)", "lines"),)),
    ),
)

RUNS = Dashboard(
    "runs",
    "Muster: runs",
    (
        stat("Runs", "sum(increase(muster_runs_total[$__range]))", width=6),
        stat(
            "Passed",
            'sum(increase(muster_runs_total{status="pass"}[$__range])) / sum(increase(muster_runs_total[$__range]))',
            "percentunit",
            6,
        ),
        stat("Fails with cause product", 'sum(increase(muster_runs_total{cause="product"}[$__range]))', width=6),
        stat(
            "Fails with cause environment", 'sum(increase(muster_runs_total{cause="environment"}[$__range]))', width=6
        ),
        Panel(
            "Verdicts",
            (Query("sum by (status, cause) (increase(muster_runs_total[$__rate_interval]))", "{{status}} {{cause}}"),),
            stacked=True,
        ),
        Panel("Run duration", quantiles("muster_run_duration_seconds", "", 0.5, 0.95, 0.99), "s"),
        Panel("Queue to orchestrator", quantiles("muster_run_schedule_to_start_seconds", "", 0.5, 0.99), "s"),
        Panel("Requests", rate("muster_run_requests_total", "result"), "reqps"),
        Panel("Webhooks", rate("muster_gateway_webhooks_total", "outcome"), "ops"),
        Panel("Active runs", (Query("sum(muster_runs_active)", "active"),)),
        Panel("Queued runs", sampled("muster_queue_pending{queue='REQUESTS/runs'}", "queue")),
        Panel("Sub-tasks", rate("muster_subtasks_total", "kind", "status"), "ops", stacked=True),
        Panel(
            "Sub-tasks by source",
            rate("muster_subtasks_total", "source"),
            "ops",
            "Phrases cost nothing; a model carries out steps that no phrase reads.",
            stacked=True,
        ),
        Panel("Sub-task duration, p95", quantiles("muster_subtask_duration_seconds", "kind", 0.95), "s"),
        Panel("Sub-tasks dispatched", rate("muster_subtasks_dispatched_total", "kind"), "ops"),
        Panel("Tool calls", rate("muster_tool_calls_total", "tool", "status"), "ops", width=8, stacked=True),
        Panel("Tool call duration, p95", quantiles("muster_tool_call_duration_seconds", "tool", 0.95), "s"),
    ),
)

MODEL = "gen_ai_request_model"
MODELS = Dashboard(
    "models",
    "Muster: models and cost",
    (
        stat("Cost", "sum(increase(muster_model_cost_usd_total[$__range]))", "currencyUSD", 6),
        stat(
            "Cost per run",
            "sum(increase(muster_model_cost_usd_total[$__range])) / sum(increase(muster_runs_total[$__range]))",
            "currencyUSD",
            6,
        ),
        stat("Requests to models", "sum(increase(muster_model_calls_total[$__range]))", width=6),
        stat("Tokens", "sum(increase(gen_ai_client_token_usage_sum[$__range]))", width=6),
        Panel(
            "Cost per hour",
            (
                Query(
                    f"sum by ({MODEL}) (rate(muster_model_cost_usd_total[$__rate_interval])) * 3600", f"{{{{{MODEL}}}}}"
                ),
            ),
            "currencyUSD",
            stacked=True,
        ),
        Panel("Wait for the budget per minute", quantiles("muster_model_budget_wait_seconds", "limit", 0.5, 0.95), "s"),
        Panel("Tokens per second", rate("gen_ai_client_token_usage_sum", MODEL, "gen_ai_token_type"), stacked=True),
        Panel("Tokens per request", quantiles("gen_ai_client_token_usage", "gen_ai_token_type", 0.5, 0.95)),
        Panel("Requests to models", rate("muster_model_calls_total", MODEL, "result"), "reqps", stacked=True),
        Panel("Model response time", quantiles("gen_ai_client_operation_duration_seconds", MODEL, 0.5, 0.95), "s"),
        Panel(
            "Requests by error type",
            rate("gen_ai_client_operation_duration_seconds_count", MODEL, "error_type"),
            "reqps",
            "Without an error type: answered.",
        ),
        Panel(
            "Share of sub-tasks that a model carried out",
            (
                Query(
                    'sum(rate(muster_subtasks_total{source="model"}[$__rate_interval]))'
                    " / sum(rate(muster_subtasks_total[$__rate_interval]))",
                    "by a model",
                ),
            ),
            "percentunit",
            width=24,
        ),
    ),
)

NATS = Dashboard(
    "nats",
    "Muster: NATS",
    (
        stat("Connected", "sum(muster_nats_connected)", width=6),
        stat("Not connected", "count(muster_nats_connected) - sum(muster_nats_connected)", width=6),
        stat("Problems", "sum(max by (what) (muster_bus_problem))", width=6),
        stat("Fullest stream", "max(muster_stream_full_ratio)", "percentunit", 6),
        Panel("Appends", rate("muster_log_appends_total", "stream", "result"), "ops", "To run logs and journals."),
        Panel("Append latency", quantiles("muster_log_append_seconds", "stream", 0.5, 0.99), "s"),
        Panel("Reconnects", rate("muster_nats_reconnects_total", "job"), "ops"),
        Panel("NATS errors", rate("muster_nats_errors_total", "job", "kind"), "ops"),
        Panel("Problems with NATS", (Query("max by (job, what) (muster_bus_problem)", "{{job}}: {{what}}"),)),
        Panel("In progress", sampled("muster_queue_ack_pending", "queue", "priority"), meaning="Taken, not finished."),
        Panel("In progress, redelivered", sampled("muster_queue_redelivered", "queue", "priority")),
        Panel(
            "Waiting pull requests",
            sampled("muster_queue_waiting_pulls", "queue", "priority"),
            meaning="0 while messages wait: no process serves the queue, or all are busy.",
        ),
        Panel("Stream fill level", sampled("muster_stream_full_ratio", "stream"), "percentunit"),
        Panel("Messages", sampled("muster_stream_messages", "stream")),
        Panel("Bytes", sampled("muster_stream_bytes", "stream"), "bytes"),
        Panel("Consumers", sampled("muster_stream_consumers", "stream"), meaning="A number that only grows is a leak."),
        Panel("Round trip to the server, p99", quantiles("muster_nats_round_trip_seconds", "job", 0.99), "s"),
        Panel("Time to renew a claim, p99", quantiles("muster_claim_renewal_seconds", "queue", 0.99), "s"),
        Panel("Claims not renewed", rate("muster_claim_renewals_failed_total", "queue"), "ops"),
    ),
)

DASHBOARDS = (FLEET, RUNS, MODELS, NATS)
