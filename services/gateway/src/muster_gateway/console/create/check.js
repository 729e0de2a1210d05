// Validates the text while it is typed, and submits it.
import { post } from "../api.js";
import { useEffect, useState } from "../html.js";
import { adjusted, FORMS, isAdjusted } from "./text.js";

const TYPING_MS = 350;

/**
 * The gateway's validation of a text: `{state, problems, cases, requests, unread, error}`; state is empty, checking, good, bad or
 * unknown (the request failed; `error` says why).
 */
export function useCheck(text, form) {
  const [found, tell] = useState({ state: "checking", problems: [], cases: [], requests: [] });
  useEffect(() => {
    if (!text.trim()) return tell({ state: "empty", problems: [], cases: [], requests: [] });
    tell((old) => ({ ...old, state: "checking" }));
    const abort = new AbortController();
    const timer = setTimeout(() => check(text, form, abort.signal).then(tell, (error) => abort.signal.aborted || tell((old) => ({ ...old, state: "unknown", error }))), TYPING_MS);
    return () => (clearTimeout(timer), abort.abort());
  }, [text, form]);
  return found;
}

async function check(text, form, signal) {
  const { valid, problems, cases, requests, unread } = await post("/cases/validate", text, { type: FORMS[form][1], signal });
  return { state: valid ? "good" : "bad", problems, cases, unread, requests: requests ?? cases.map((job) => ({ job })) };
}

/** Submit the cases; returns the ids of the runs. Retries with the same `key` submit them only once. */
export async function submit(text, form, settings, key) {
  const headers = { "Idempotency-Key": key };
  if (!isAdjusted(settings)) return ids(await post("/runs", text, { type: FORMS[form][1], headers }));
  const { problems, requests } = await check(text, form);
  if (problems.length) throw new Error(problems[0].message);
  const runs = [];
  for (const [number, request] of requests.entries()) {
    const body = adjusted(request, settings);
    runs.push(...ids(await post("/runs", body, { headers: { "Idempotency-Key": `${key}/${number + 1}` } })));
  }
  return runs;
}

const ids = (submitted) => submitted.runs.map((one) => one.run);

/** A unique key. */
export const newKey = () => `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
