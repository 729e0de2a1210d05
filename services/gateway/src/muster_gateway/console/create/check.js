// Checking a text as it is typed, and handing it in.
import { post } from "../api.js";
import { useEffect, useState } from "../html.js";
import { adjusted, FORMS, isAdjusted } from "./text.js";

const TYPING_MS = 350;

/**
 * What the gateway says of a text: `{state, problems, cases, requests, unread, error}`; state is empty, checking, good, bad or
 * unknown (it could not be asked; `error` says why).
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

/** Hand the cases in; returns the ids of the runs. The same `key` hands them in only once, however often it is tried. */
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

/** A key nobody else has. */
export const newKey = () => `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
