"""Examples of API responses about sub-tasks."""

from muster_gateway.description.operation_docs import NODE, RUN

EVIDENCE: dict[str, object] = {
    "check": "expect_title",
    "arguments": {"text": "Demo shop"},
    "call": 1,
    "passed": False,
    "expected": "Demo shop",
    "seen": "Error",
    "where": "http://127.0.0.1:8000/login",
    "artifacts": ["n1.1/page.png"],
}

CLAUSE: dict[str, object] = {
    "text": 'The page title is "Demo shop"',
    "shown": 'The page title is "Demo shop"',
    "state": "refuted",
    "literals": ["Demo shop"],
    "lacks": "a check of 'The page title is \"Demo shop\"' did not hold",
    "evidence": [EVIDENCE],
}

NODE_WITH_CLAUSE: dict[str, object] = {**NODE, "clauses": [CLAUSE]}

CALL: dict[str, object] = {
    "kind": "call",
    "number": 1,
    "tool": "expect_title",
    "arguments": {"text": "Demo shop"},
    "clause": 'The page title is "Demo shop"',
    "effect": "check",
    "started_at": 1796000002.9,
    "ended_at": 1796000003.1,
    "duration_ms": 204.5,
    "status": "failed",
    "summary": "the title is 'Error'",
    "expected": "Demo shop",
    "seen": "Error",
    "where": "http://127.0.0.1:8000/login",
    "url": "http://127.0.0.1:8000/login",
    "artifacts": ["n1.1/page.png"],
}

RESULT: dict[str, object] = {
    "type": "result",
    "task": f"{RUN}.n1.1",
    "node": "n1",
    "attempt": 1,
    "status": "fail",
    "summary": "the page title is not what was expected",
    "cause": "product",
    "failure": "expectation_false",
}

NODE_DETAIL: dict[str, object] = {
    "node": NODE_WITH_CLAUSE,
    "attempts": [
        {
            "task": f"{RUN}.n1.1",
            "attempt": 1,
            "kind": "step",
            "title": 'Open "http://127.0.0.1:8000/login"',
            "description": 'Open "http://127.0.0.1:8000/login"',
            "expected_result": 'The page title is "Demo shop"',
            "pool": "act",
            "dispatched_at": 1796000000.4,
            "ended_at": 1796000003.2,
            "takers": [{"worker": "subagent-51c0ffee00112233", "at": 1796000000.5, "delivery": 1}],
            "moments": [CALL],
            "clauses": [CLAUSE],
            "result": RESULT,
            "artifacts": [],
        }
    ],
}

JOURNAL: dict[str, object] = {
    "messages": [
        {
            "sequence": 4711,
            "task": f"{RUN}.n1.1",
            "node": "n1",
            "attempt": 1,
            "at": 1796000000.5,
            "entries": [{"type": "taken", "worker": "subagent-51c0ffee00112233", "message": 12, "delivery": 1}],
        }
    ],
    "cursor": 4711,
    "more": False,
}

MESSAGES: dict[str, object] = {
    "messages": [
        {
            "id": f"{RUN}.plan.1",
            "sender": "orchestrator",
            "recipient": "case-planner",
            "type": "task",
            "kind": "plan",
            "node": "plan",
            "attempt": 1,
            "text": "Plan the test case",
            "at": 1796000001.0,
        },
        {
            "id": f"{RUN}.plan.1:result",
            "sender": "case-planner",
            "recipient": "orchestrator",
            "type": "result",
            "kind": "plan",
            "node": "plan",
            "attempt": 1,
            "text": "decomposed test case into 4 sub-tasks",
            "status": "pass",
            "at": 1796000001.8,
            "took": 0.8,
            "parent": f"{RUN}.plan.1",
        },
    ]
}
