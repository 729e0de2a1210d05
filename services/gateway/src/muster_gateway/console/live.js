// Live data: server-sent events and log streams, with reconnection.
import { ask } from "./api.js";

const FIRST_MS = 500;
const LONGEST_MS = 10_000;
const HIDDEN_MS = 30_000;
const REFUSED = [4401, 4403, 4404];
const NEVER_OPENED = 2;

const delay = (failures) => Math.min(LONGEST_MS, FIRST_MS * 2 ** failures) * (0.75 + Math.random() / 2);

/** Send a small request, so that an expired login leads to the login page: streams do not report why they fail. */
const probe = () => void ask("GET", "/whoami").catch(() => {});

/**
 * Listen to server-sent events until the returned function is called. `url()` is called for each connection (so that it can
 * include a cursor), `events` maps names to functions of the decoded data and its id, `onState` gets live or away. While
 * the page is hidden for a while, the connection is closed, because browsers allow only a few.
 */
export function listen(url, events, onState = () => {}) {
  let source, timer, failures = 0, stopped = false;
  const close = () => (clearTimeout(timer), source?.close(), (source = undefined));
  const open = () => {
    close();
    if (stopped) return;
    source = new EventSource(url());
    source.onopen = () => ((failures = 0), onState("live"));
    for (const [name, take] of Object.entries(events)) {
      source.addEventListener(name, (event) => take(JSON.parse(event.data), event.lastEventId));
    }
    source.onerror = () => {
      close();
      if (stopped) return;
      onState("away");
      if (failures) probe();
      timer = setTimeout(open, delay(failures++));
    };
  };
  const looked = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(close, HIDDEN_MS);
    else if (source) return;
    else open();
  };
  document.addEventListener("visibilitychange", looked);
  open();
  return () => {
    stopped = true;
    close();
    document.removeEventListener("visibilitychange", looked);
  };
}

/**
 * Follow the log of runs: `path(cursor)` gives the address, e.g. `/runs/x/logs?after=7`. Calls `onLines` with arrays of
 * `{cursor, record}` in order, each line once; `onMissed({from, to, lines})`, `onLive(cursor)`, `onEnd({status, cause})`, and
 * `onState` with live, away, over or refused. Uses a WebSocket, or server-sent events if none can be opened (some
 * proxies). Returns a function that ends it.
 */
export function follow({ path, after = 0, onLines, onMissed, onLive, onEnd, onState = () => {} }) {
  let closing = () => {}, timer, failures = 0, unopened = 0, stopped = false, cursor = after;
  const lines = (found) => {
    const fresh = found.filter((line) => line.cursor > cursor);
    if (!fresh.length) return;
    cursor = fresh[fresh.length - 1].cursor;
    onLines(fresh);
  };
  const finish = (state) => {
    stopped = true;
    closing();
    onState(state);
  };
  const way = {
    path: () => path(cursor),
    opened: () => ((failures = 0), (unopened = 0), onState("live")),
    take(frame) {
      if (frame.lines) lines(frame.lines);
      else if (frame.record) lines([frame]);
      else if (frame.missed) onMissed?.(frame.missed);
      else if (frame.live) onLive?.(frame.cursor);
      else if (frame.end) onEnd?.(frame), finish("over");
    },
    closed(code, opened) {
      if (stopped) return;
      if (REFUSED.includes(code)) return finish("refused");
      unopened += opened ? 0 : 1;
      if (failures) probe();
      onState("away");
      timer = setTimeout(open, delay(failures++));
    },
  };
  const open = () => (closing = (unopened >= NEVER_OPENED ? overEvents : overSocket)(way));
  open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    closing();
  };
}

function overSocket(way) {
  let opened = false;
  const socket = new WebSocket(new URL(way.path(), location.href.replace(/^http/, "ws")));
  socket.onopen = () => ((opened = true), way.opened());
  socket.onmessage = (event) => way.take(JSON.parse(event.data));
  socket.onclose = (event) => way.closed(event.code, opened);
  return () => {
    socket.onmessage = null;
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // a browser warns of one closed sooner
    else socket.close();
  };
}

function overEvents(way) {
  const source = new EventSource(way.path());
  source.onopen = way.opened;
  source.onmessage = (event) => way.take(JSON.parse(event.data));
  source.addEventListener("end", (event) => way.take({ ...JSON.parse(event.data), end: true }));
  source.onerror = () => (source.close(), way.closed(0, true));
  return () => source.close();
}

/**
 * Poll: at once, then `every` milliseconds after each answer, sooner when the page becomes visible, and
 * later after failures. `onState` gets live, or away with the error. Returns a function that stops it, with `.now()`.
 */
export function poll(path, query, every, take, onState = () => {}) {
  let timer, failures = 0, stopped = false, running = false;
  const abort = new AbortController();
  const again = (ms) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(look, ms);
  };
  const look = async () => {
    if (running) return;
    running = true;
    try {
      const found = await ask("GET", path, { query: query?.(), signal: abort.signal });
      if (stopped) return;
      failures = 0;
      onState("live");
      take(found);
      again(document.hidden ? every * 5 : every);
    } catch (error) {
      if (!stopped) onState("away", error), again(Math.max(every, delay(failures++)));
    } finally {
      running = false;
    }
  };
  const shown = () => !document.hidden && again(0);
  document.addEventListener("visibilitychange", shown);
  look();
  const stop = () => {
    stopped = true;
    clearTimeout(timer);
    abort.abort();
    document.removeEventListener("visibilitychange", shown);
  };
  return Object.assign(stop, { now: () => again(0) });
}
