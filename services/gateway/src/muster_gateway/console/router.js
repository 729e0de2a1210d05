// Routing of the console on the History API: current page and query.
import { useEffect, useReducer } from "./html.js";

const ROOT = "/console/";
const listeners = new Set();

/** Address of a run's page. */
export const runHref = (run, query) => withQuery(`${ROOT}runs/${encodeURIComponent(run)}`, query);

/** Address of a conversation. */
export const chatHref = (conversation) => `${ROOT}chat/${encodeURIComponent(conversation)}`;

/** Address of a case's history; the names `.` and `..` are not valid in a path. */
export const caseHref = (name, query) =>
  /^\.{1,2}$/.test(name) ? withQuery(`${ROOT}cases/`, { ...query, name }) : withQuery(`${ROOT}cases/${encodeURIComponent(name)}`, query);

/** Address of a stored case. */
export const storedHref = (id, query) => withQuery(`${ROOT}library/${encodeURIComponent(id)}`, query);

/** Address of the map that a run has made. */
export const mapHref = (run, query) => withQuery(`${ROOT}maps/${encodeURIComponent(run)}`, query);

/** Address of a page such as `suites`, `fleet`, `new` or "" (runs), with a query. */
export const pageHref = (page = "", query) => withQuery(ROOT + page, query);

/** A path with a query of the entries that are neither empty nor undefined; arrays are repeated. */
export function withQuery(path, query = {}) {
  const made = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") made.append(name, one);
    }
  }
  const text = made.toString();
  return text ? `${path}?${text}` : path;
}

/** The page for a path: `{page, arg}`; page is runs, run, suites, library, stored, maps, triggers, health, case, fleet, chat, new or nowhere. */
export function route(path) {
  const parts = path.replace(/^\/console\/?/, "").split("/");
  const rest = decode(parts.slice(1).join("/"));
  switch (parts[0]) {
    case "":
    case "index.html":
      return { page: "runs", arg: "" };
    case "runs":
      return rest ? { page: "run", arg: rest } : { page: "runs", arg: "" };
    case "cases":
      return { page: "case", arg: rest };
    case "library":
      return rest ? { page: "stored", arg: rest } : { page: "library", arg: "" };
    case "maps":
      return { page: "maps", arg: rest };
    case "chat":
      return { page: "chat", arg: rest };
    case "suites":
    case "triggers":
    case "health":
    case "fleet":
    case "secrets":
    case "new":
      return rest ? { page: "nowhere", arg: "" } : { page: parts[0], arg: "" };
    default:
      return { page: "nowhere", arg: "" };
  }
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let lookedAt = "";

/** The page that was looked at before the chat; empty: none. */
export const lastPage = () => lookedAt;

/** Go to an address of the console. */
export function navigate(href, { replace = false } = {}) {
  if (href === location.pathname + location.search + location.hash) return;
  if (route(location.pathname).page !== "chat") lookedAt = location.pathname;
  history[replace ? "replaceState" : "pushState"](null, "", href);
  changed();
}

function changed() {
  for (const listener of [...listeners]) listener();
}

function useAddress() {
  const [, again] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    listeners.add(again);
    return () => listeners.delete(again);
  }, []);
}

/** The current route; rerenders when it changes. */
export function useRoute() {
  useAddress();
  return route(location.pathname);
}

/**
 * The query of the address as URLSearchParams, and a function that changes it: `change({tab: "log", node: ""})` (empty
 * removes, arrays repeat). It replaces the entry in the history unless told `{push: true}`.
 */
export function useQuery() {
  useAddress();
  return [new URLSearchParams(location.search), changeQuery];
}

function changeQuery(changes, { push = false } = {}) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const one of Array.isArray(value) ? value : [value]) if (one) query.append(name, one);
  }
  const text = query.toString();
  navigate(location.pathname + (text ? `?${text}` : ""), { replace: !push });
}

/** Make links within the console navigate without reloading. */
export function catchClicks() {
  addEventListener("popstate", changed);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
    if (url.hash && url.pathname + url.search === location.pathname + location.search) return; // a place on this page
    event.preventDefault();
    navigate(url.pathname + url.search);
  });
}
