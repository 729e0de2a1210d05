"""Examples of reports."""

from muster_gateway.description.operation_docs import ROW, RUN, VERDICT

REPORT: dict[str, object] = {
    "started_at": 1796000000.2,
    "duration": 3.2,
    "stopped": "",
    "exit_code": 1,
    "totals": {
        "runs": 1,
        "passed": 0,
        "failed": 1,
        "product": 1,
        "environment": 0,
        "agent": 0,
        "cancelled": 0,
        "without_verdict": 0,
    },
    "runs": [
        {
            "label": ROW["name"],
            "name": ROW["name"],
            "run": RUN,
            "source": "",
            "line": 0,
            "suite": "smoke",
            "step": 'step 1: Open "http://127.0.0.1:8000/login"',
            "step_line": 0,
            "step_written": "",
            "steps_done": 0,
            "steps_total": 12,
            "verdict": VERDICT,
            "standing": "",
        }
    ],
}
