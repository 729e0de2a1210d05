"""Examples of API responses about suites, the fleet, dead letters, and validation."""

from muster_gateway.description.operation_docs import ROW, RUN

SUITES: dict[str, object] = {
    "suites": [{"name": "smoke", "runs": 41, "cases": 12, "passed": 10, "failed": 1, "running": 1, "newest": ROW}]
}

ANALYSIS: dict[str, object] = {
    "cases": [
        {
            "name": "A visitor buys a backpack",
            "suite": "smoke",
            "health": "broken",
            "sure": 0.99,
            "runs": 41,
            "failed": 3,
            "flips": 1,
            "broken_since": 1796000003.0,
            "broken_by": RUN,
            "seconds": 11.2,
            "newest": RUN,
        }
    ],
    "clusters": [
        {
            "signature": 'product: expected "Total" is "$#"; seen: "$#" on /cart',
            "cause": "product",
            "site": {"clause": '"Total" is "$#"', "page": "/cart"},
            "example": RUN,
            "runs": 3,
            "cases": ["A visitor buys a backpack"],
            "first_at": 1796000003.0,
            "last_at": 1796090003.0,
        }
    ],
    "days": [{"day": 1795996800.0, "passed": 38, "failed": 3, "tokens": 52000, "cost": 0.21}],
}

WORKERS: dict[str, object] = {
    "workers": [
        {
            "id": "subagent-51c0ffee00112233",
            "service": "subagent",
            "host": "node-3",
            "pid": 71,
            "version": "0.1.0",
            "slots": {"think": 8, "act": 2},
            "busy": {"act": 1},
            "started_at": 1795990000.0,
            "seen_at": 1796000003.0,
            "stale": False,
        }
    ]
}

DEVICES: dict[str, object] = {
    "devices": [
        {
            "kind": "appium",
            "name": "pixel",
            "platform": "android",
            "state": "in use",
            "session": f"{RUN}.main",
            "host": "sessions-0123456789abcdef",
            "lease": "",
            "leased_until": 0.0,
        }
    ]
}
LEASE: dict[str, object] = {"phone": "pixel", "holder": RUN, "until": 1796001800.0}

SESSIONS: dict[str, object] = {
    "sessions": [
        {
            "run": RUN,
            "name": "main",
            "kind": "web",
            "host": "sessions-0123456789abcdef",
            "capabilities": ["browser", "shell"],
            "opened_at": 1796000000.3,
            "seen_at": 1796000003.0,
            "restored": "no",
            "stale": False,
        }
    ]
}

QUEUES: dict[str, object] = {
    "queues": [
        {
            "name": "act-normal",
            "stream": "TASKS",
            "pending": 3,
            "ack_pending": 2,
            "redelivered": 0,
            "oldest_seconds": 4.25,
            "waiting": 0,
            "problem": "",
        }
    ],
    "streams": [{"name": "LOGS", "messages": 81233, "bytes": 20480000, "max_bytes": 4294967296, "max_messages": 0}],
}

LETTER: dict[str, object] = {
    "id": 3,
    "stream": "REQUESTS",
    "subject": f"muster.requests.{RUN}",
    "reason": "the request cannot be read: JSON is malformed: trailing characters (byte 17)",
    "history": ["refused by orchestrator-0011223344556677"],
    "run": RUN,
    "has_run": True,
    "task": "",
    "delivery": 1,
    "at": 1796000000.0,
    "size": 18,
    "cut": False,
    "can_replay": True,
}

DEAD: dict[str, object] = {"letters": [LETTER], "cursor": ""}

DEAD_DETAIL: dict[str, object] = {**LETTER, "data": '{"job": {}} and so'}

REPLAYED: dict[str, object] = {"id": 3, "subject": f"muster.requests.{RUN}"}

VALIDATION: dict[str, object] = {
    "valid": False,
    "problems": [{"message": "unknown key 'expect' in a step; did you mean 'expected'?", "line": 7, "column": 5}],
    "cases": [],
    "requests": [],
    "unread": [],
}

EDITING_HELP: dict[str, object] = {
    "proposals": [{"kind": "phrase", "label": 'Click "Save"', "text": 'Click "Save"', "begin": 4, "detail": "Clicks"}],
    "meaning": "**Step**\n\n- **click**: element `Save`",
    "repairs": [
        {
            "line": 5,
            "column": 15,
            "end_line": 5,
            "end_column": 46,
            "text": 'See "Thanks"',
            "message": 'no phrase fits «You should be able to see "Thanks"»',
        }
    ],
}
