// Run one case over NATS and end with its verdict: node submit.mjs
// NATS_URL, NATS_USER, NATS_PASSWORD say where and as whom; BUILD is what this is run for.
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
  idempotency_key: `smoke-js-${BUILD}`, // the same key is the same run, however often this is sent
  correlation_id: BUILD, // comes back in the verdict and in its header Correlation-Id
  reply_to: `muster.replies.${NATS_USER}.js.${BUILD}`,
};

const client = await connect({
  servers: NATS_URL,
  user: NATS_USER,
  pass: NATS_PASSWORD,
  inboxPrefix: `_INBOX_${NATS_USER}`, // a user may read its own inboxes alone
});
const verdicts = client.subscribe(request.reply_to); // before asking: a quick verdict would be missed
const reply = await client.request("muster.submit", JSON.stringify(request), { timeout: 15_000 });
const answer = reply.json();
if (answer.type === "rejected") {
  console.error("refused:", answer.reasons.join("; "));
  process.exitCode = 2;
} else {
  console.log("run", answer.run, answer.duplicate ? "(asked for before)" : "");
  for await (const message of verdicts) {
    const verdict = message.json();
    if (verdict.run !== answer.run) continue; // others can name this subject, and have their verdicts told here
    console.log(message.headers.get("Correlation-Id"), verdict.status, verdict.summary);
    process.exitCode = verdict.status === "pass" ? 0 : 1;
    break;
  }
}
await client.close();
