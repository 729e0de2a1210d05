// Run one case over NATS and end with its verdict: node submit.mjs
// NATS_URL, NATS_USER, NATS_PASSWORD are server and login; BUILD identifies the build.
import { connect } from "@nats-io/transport-node";

const { NATS_URL, NATS_USER = "publisher", NATS_PASSWORD, BUILD = "local" } = process.env;

const request = {
  job: {
    type: "test_case",
    name: "The machine says hello",
    steps: [{ action: 'Run the command "echo hello"', expected: 'The output contains "hello"' }],
  },
  suite: "smoke",
  labels: { build: BUILD },
  idempotency_key: `smoke-js-${BUILD}`, // one key, one run, however often this is sent
  correlation_id: BUILD, // comes back in the verdict and in its header Correlation-Id
  reply_to: `muster.replies.${NATS_USER}.js.${BUILD}`,
};

const client = await connect({
  servers: NATS_URL,
  user: NATS_USER,
  pass: NATS_PASSWORD,
  inboxPrefix: `_INBOX_${NATS_USER}`, // a user may read only its own inboxes
});
const verdicts = client.subscribe(request.reply_to); // before the request, so that no verdict is missed
const reply = await client.request("muster.submit", JSON.stringify(request), { timeout: 15_000 });
const answer = reply.json();
if (answer.type === "rejected") {
  console.error("refused:", answer.reasons.join("; "));
  process.exitCode = 2;
} else {
  console.log("run", answer.run, answer.duplicate ? "(duplicate)" : "");
  for await (const message of verdicts) {
    const verdict = message.json();
    if (verdict.run !== answer.run) continue; // other systems may use this subject, too
    console.log(message.headers.get("Correlation-Id"), verdict.status, verdict.summary);
    process.exitCode = verdict.status === "pass" ? 0 : 1;
    break;
  }
}
await client.close();
