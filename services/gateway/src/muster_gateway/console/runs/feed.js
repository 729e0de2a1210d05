// The rows of the run list: pages on scrolling, and live changes.
import { get } from "../api.js";
import { useCallback, useEffect, useRef, useState } from "../html.js";
import { listen, poll } from "../live.js";
import { asked, extended, merged, refreshed } from "./filters.js";

const FIRST_PAGE = 100; // small, so that the visible rows load fast
const NEXT_PAGE = 500;
const GATHER_MS = 250;
const POLL_MS = 3000;
const now = () => Date.now() / 1000;
/** The last list shown, restored when the reader comes back. */
let kept = { key: "", rows: [], cursor: "" };

/**
 * Rows that fit the filters, newest first: `{rows, loading, error, more, next(), state, again()}`; `next` loads the next
 * page, `state` tells whether changes arrive live.
 */
export function useRuns(filters) {
  const key = JSON.stringify(filters);
  const [shown, show] = useState(() => (kept.key === key ? { ...kept, loading: false } : { key, rows: [], cursor: "", loading: true }));
  const [error, tell] = useState(null);
  const [state, become] = useState("connecting");
  const wanted = useRef({ filters, key });
  wanted.current = { filters, key };
  const busy = useRef(false);

  const load = useCallback(async (cursor = "") => {
    const { filters, key } = wanted.current;
    busy.current = true;
    try {
      const found = await get("/runs", { ...asked(filters, now()), limit: cursor ? NEXT_PAGE : FIRST_PAGE, cursor });
      if (wanted.current.key !== key) return;
      tell(null);
      show((old) => {
        const before = old.key === key && !old.loading ? old : { rows: [], cursor: "" };
        return { key, ...(cursor ? extended(before, found) : refreshed(before, found)), loading: false };
      });
    } catch (problem) {
      if (wanted.current.key === key) tell(problem), show((old) => (old.loading ? { ...old, rows: [], loading: false } : old));
    } finally {
      busy.current = false;
    }
  }, []);

  useEffect(() => {
    if (shown.key !== key) show((old) => ({ ...old, key, cursor: "", loading: true }));
    load();
  }, [key]);
  useEffect(() => {
    if (!shown.loading) kept = { key: shown.key, rows: shown.rows, cursor: shown.cursor };
  }, [shown]);

  const change = useCallback((changed) => {
    const { filters } = wanted.current;
    show((old) => (old.loading ? old : { ...old, rows: merged(old.rows, changed, filters, Boolean(old.cursor), now()) }));
  }, []);
  useChanges(change, become, load);
  usePolling(state, wanted, change);

  const next = useCallback(() => {
    if (shown.cursor && !busy.current) load(shown.cursor);
  }, [shown]);
  return { rows: shown.rows, loading: shown.loading, error, more: Boolean(shown.cursor), next, state, again: () => load() };
}

/** Receive changed rows, a few times a second at most; load the first page again once the stream is open. */
function useChanges(change, become, load) {
  useEffect(() => {
    let waiting = [], timer, cursor = 0;
    const flush = () => {
      timer = undefined;
      change(waiting);
      waiting = [];
    };
    const stop = listen(() => (cursor ? `/runs/changes?after=${cursor}` : "/runs/changes"), {
      live: (told) => {
        if (!cursor) load(); // what changed between the first page and now
        cursor = told.cursor || cursor;
        become("live");
      },
      row: (row, id) => {
        cursor = Number(id) || cursor;
        waiting.push(row);
        timer ??= setTimeout(flush, GATHER_MS);
      },
    }, (state) => state !== "live" && become(state));
    return () => (stop(), clearTimeout(timer));
  }, []);
}

/** Poll the newest page every few seconds while changes do not arrive live. */
function usePolling(state, wanted, change) {
  useEffect(() => {
    if (state !== "away") return undefined;
    return poll("/runs", () => ({ ...asked(wanted.current.filters, now()), limit: FIRST_PAGE }), POLL_MS, (found) => change(found.runs));
  }, [state]);
}
