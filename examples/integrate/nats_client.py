"""Run one case over NATS and end with its verdict. Needs nats-py[nkeys], and nothing of Muster.

NATS_URL, NATS_USER and NATS_PASSWORD, or NATS_NKEY, are server and login; BUILD identifies the build.
"""

import asyncio
import json
import os
import sys

import nats

BUILD = os.environ.get("BUILD", "local")
USER = os.environ.get("NATS_USER", "publisher")
REQUEST = {
    "job": {
        "type": "test_case",
        "name": "The machine says hello",
        "steps": [{"action": 'Run the command "echo hello"', "expected": 'The output contains "hello"'}],
    },
    "suite": "smoke",
    "labels": {"build": BUILD},
    # One key, one run: after a crash or a time-out, start the script again.
    "idempotency_key": f"smoke-{BUILD}",
    # Comes back in the verdict and in its header Correlation-Id.
    "correlation_id": BUILD,
    # Where the verdict goes. A user may subscribe only to replies below its own name.
    "reply_to": f"muster.replies.{USER}.{BUILD}",
}


async def main() -> int:
    """Return 0 if the case passed, 1 if it failed, 2 if it cannot be run."""
    client = await nats.connect(
        os.environ["NATS_URL"],
        user=os.environ.get("NATS_USER"),
        password=os.environ.get("NATS_PASSWORD"),
        nkeys_seed=os.environ.get("NATS_NKEY"),  # the login that `muster up` prints
        inbox_prefix=f"_INBOX_{USER}",  # a user may read only its own inboxes
    )
    replies = await client.subscribe(REQUEST["reply_to"])  # before the request, so that no verdict is missed
    reply = await client.request("muster.submit", json.dumps(REQUEST).encode(), timeout=15)
    answer = json.loads(reply.data)
    if answer["type"] == "rejected":
        print("refused:", "; ".join(answer["reasons"]))
        return 2
    print("run", answer["run"], "(duplicate)" if answer.get("duplicate") else "")
    while True:  # other systems may use this subject, too
        message = await replies.next_msg(timeout=600)
        verdict = json.loads(message.data)
        if verdict.get("run") == answer["run"]:
            break
    print(message.headers["Correlation-Id"], verdict["status"], verdict["summary"])
    await client.close()
    return 0 if verdict["status"] == "pass" else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
