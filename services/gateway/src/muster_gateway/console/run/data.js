// The data of a run's page, updated during the run.
import { at, get } from "../api.js";
import { follow } from "../live.js";
import { useCallback, useEffect, useRef, useState } from "../html.js";
import { isOver } from "../format.js";
import { nameIn } from "./model.js";

const SOON = 250; // ms from a log line to reloading the run
const STEADY = 5000; // ms between polls without live data
const AFTER = 1500; // ms after the end until the last files are stored
const PAINT = 120; // ms between renders while lines keep arriving
const LAST_WORDS = 2500; // ms of silence after which the log of a finished run counts as complete
const KEPT = 200_000; // lines kept; the oldest are dropped

/** Load something on demand, never twice at the same time: `{data, error, again}`. */
function useAsked(key, path, shape = (found) => found) {
  const [found, show] = useState({ key, data: null, error: null });
  const state = useRef(null);
  const again = useCallback((ms = SOON) => {
    const mine = state.current;
    if (mine && !mine.timer) mine.timer = setTimeout(() => mine.look(), Math.max(ms, mine.cost * 3));
  }, []);
  useEffect(() => {
    if (!path) return undefined;
    const mine = { timer: 0, cost: 0, busy: false, wanted: false, abort: new AbortController() };
    mine.look = async () => {
      mine.timer = 0;
      if (mine.busy) return void (mine.wanted = true);
      mine.busy = true;
      const begun = performance.now();
      try {
        const data = shape(await get(path, undefined, { signal: mine.abort.signal }));
        if (!mine.abort.signal.aborted) show({ key, data, error: null });
      } catch (error) {
        if (!mine.abort.signal.aborted) show((old) => ({ key, data: old.key === key ? old.data : null, error }));
      }
      Object.assign(mine, { busy: false, cost: performance.now() - begun });
      if (mine.wanted) (mine.wanted = false), again();
    };
    state.current = mine;
    mine.look();
    return () => {
      clearTimeout(mine.timer);
      mine.abort.abort();
      if (state.current === mine) state.current = null;
    };
  }, [key, path]);
  const mine = found.key === key ? found : { data: null, error: null };
  return { data: mine.data, error: mine.error, again };
}

/** A run: `{view, error, again}`; polled until it is over. */
export function useRun(run) {
  const { data, error, again } = useAsked(run, at("runs", run));
  const over = data ? isOver(data.run) : false;
  useEffect(() => {
    if (over) {
      const last = setTimeout(() => again(0), AFTER);
      return () => clearTimeout(last);
    }
    const steady = setInterval(() => document.hidden || again(0), STEADY);
    return () => clearInterval(steady);
  }, [run, over]);
  return { view: data, error, again };
}

/** One sub-task with its attempts: `{detail, error, again}`; null for none. */
export function useNode(run, node) {
  const { data, error, again } = useAsked(`${run} ${node}`, node ? at("runs", run, "nodes", node) : "");
  return { detail: data, error, again };
}

const files = (run, found) =>
  found.artifacts.map((file) => ({ ...file, name: nameIn(run, file.name), at: Date.parse(file.stored_at) || 0 }));

/** The stored files of a run, each with the time it was stored: `{files, error, again}`. */
export function useFiles(run) {
  const { data, error, again } = useAsked(`${run} files`, at("runs", run, "artifacts"), (found) => files(run, found));
  return { files: data, error, again };
}

/** The files of a run with the pictures that the log has told of since they were listed. */
export function withPushed(run, listed, pushed) {
  const known = new Map((listed ?? []).map((file) => [file.name, file]));
  for (const { picture, at } of pushed) {
    const name = nameIn(run, picture.name);
    const old = known.get(name);
    if (!old || at * 1000 > old.at) known.set(name, { ...old, ...picture, name, at: at * 1000 });
  }
  return listed || pushed.length ? [...known.values()] : null;
}

/** Who asked whom for what; not loaded while `wanted` is false: `{messages, error, again}`. */
export function useMessages(run, wanted) {
  const { data, error, again } = useAsked(`${run} messages ${wanted}`, wanted ? at("runs", run, "messages") : "", (found) => found.messages);
  return { messages: data, error, again };
}

/** The run after its newest event, and what it waits for; not loaded while `wanted` is false: `{moment, error, again}`. */
export function useMoment(run, wanted) {
  const { data, error, again } = useAsked(`${run} moment ${wanted}`, wanted ? at("runs", run, "state") : "");
  return { moment: data, error, again };
}

/** What was found out about a run after its end; none before. */
export function useNotes(run, over) {
  const { data, again } = useAsked(`${run} notes ${over}`, over ? at("runs", run, "notes") : "", (found) => found.notes);
  return { notes: data ?? [], again };
}

/**
 * A run's log: `{lines, state, joined}`, `lines` an array of `{cursor, record}` to which lines are added, so that its
 * length tells when there are more. `onLines` hears of those that come; state is opening, live, away, over or refused;
 * `over` says whether the run is, so that nobody follows it for ever.
 */
export function useLog(run, over, onLines) {
  const [shown, show] = useState({ lines: [], state: "opening" });
  const hear = useRef(onLines);
  hear.current = onLines;
  const following = useRef(null);
  useEffect(() => {
    following.current = followed(run, show, (records) => hear.current(records));
    return following.current.stop;
  }, [run]);
  useEffect(() => {
    if (!over || !shown.joined) return undefined;
    const end = setTimeout(() => following.current.end(), LAST_WORDS);
    return () => clearTimeout(end);
  }, [run, over, shown.joined, shown.lines.length]);
  return shown;
}

// Follows the log of a run from its start; after lines were skipped for a slow page, from where it stopped.
function followed(run, show, hear) {
  const log = { lines: [], state: "opening", joined: false };
  let timer = 0, stop = () => {};
  const paint = () => (timer ||= setTimeout(() => ((timer = 0), show({ ...log })), PAINT));
  const take = (fresh) => {
    log.lines = log.lines.length + fresh.length > KEPT ? [...log.lines, ...fresh].slice(-KEPT) : push(log.lines, fresh);
    hear(fresh.map((line) => line.record));
    paint();
  };
  const open = () => {
    stop();
    stop = follow({
      path: (cursor) => `/logs?run=${encodeURIComponent(run)}&after=${cursor}`,
      after: log.lines.at(-1)?.cursor ?? 0,
      onLines: take,
      onMissed: open,
      onLive: () => ((log.joined = true), paint()),
      onState: (state) => ((log.state = state), paint()),
    });
  };
  open();
  const halt = () => (stop(), clearTimeout(timer), (timer = 0));
  return { stop: halt, end: () => (halt(), (log.state = "over"), show({ ...log })) };
}

// Lines arrive by the thousand: they are appended in place, and the length signals changes.
function push(lines, fresh) {
  for (const line of fresh) lines.push(line);
  return lines;
}
