// What a document still has to do: requests, short timers, frames, scripts, navigations. Counted from its very start,
// so that "it is settled" is known and never guessed from a quiet moment. Runs in the page's own world, before its
// scripts.

const real = {
  setTimeout: window.setTimeout.bind(window),
  clearTimeout: window.clearTimeout.bind(window),
  frame: window.requestAnimationFrame.bind(window),
  now: performance.now.bind(performance),
};
const TIMER_LIMIT = 1000; // ms a chain of timers may take in all and still count as a consequence
const CHAIN_LIMIT = 20; // links of such a chain: an endless one stops counting
const FRAME_LIMIT = 3;
const POLLED_LIMIT = 1000; // ms an endpoint is waited for that the page asks again and again
const POLLED_COUNT = 8; // as often as that after one action

const pending = new Map();
const polled = new Map(); // endpoint → how often the page asked for it outside of any action
const repeated = new Map(); // endpoint → how often it did since the last action began
const wakers = new Set();
let sequence = 0;
let version = 0; // rises whenever something changed that a reader may want to look at
let lastMutation = -Infinity;
let lastDrawn = -Infinity; // what had changed by then has been through two frames since
let tracking = true; // from the start of the document, or of an action, until it is settled
let began = 0;
let settling = 0; // when the last wait for it all began
let chain = null; // the timer or frame callback that runs now
const isStill = !hearsEvents(); // no script runs here, as in a sandboxed frame: a timer or a promise of one would never come

function hearsEvents() {
  let heard = false;
  const target = new EventTarget();
  target.addEventListener("call", () => { heard = true; });
  target.dispatchEvent(new Event("call"));
  return heard;
}

function wake() {
  version += 1;
  for (const waker of [...wakers]) waker();
}

function add(kind, what, extra) {
  const id = ++sequence;
  pending.set(id, { kind, what: String(what).slice(0, 200), at: real.now(), ...extra });
  return () => pending.delete(id) && wake();
}

function turn() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { channel.port1.close(); resolve(); };
    channel.port2.postMessage(0);
  });
}

function frame() {
  return new Promise((resolve) => { real.frame(resolve); real.setTimeout(resolve, 100); });
}

function woken(ms) {
  return new Promise((resolve) => {
    const finish = () => { wakers.delete(finish); real.clearTimeout(timer); resolve(); };
    const timer = real.setTimeout(finish, ms);
    wakers.add(finish);
  });
}

// ---- requests

// `sort`: what tells requests to one address apart; `brief`: ms for which nobody but a denial waits for the answer.
function request(method, address, { sort = "", brief = 0 } = {}) {
  let endpoint = String(address);
  try { endpoint = new URL(endpoint, location.href).pathname; } catch { /* shown as it is */ }
  const key = endpoint + sort;
  const alone = polled.get(key) || 0;
  const again = (repeated.get(key) || 0) + 1;
  if (!tracking) polled.set(key, alone + 1);
  repeated.set(key, again);
  return add("request", `${method} ${endpoint}`, { brief, polled: alone >= 2 || again > POLLED_COUNT });
}

const fetched = window.fetch;
if (fetched) {
  window.fetch = function fetch(...args) {
    const method = args[1]?.method || args[0]?.method || "GET";
    const done = request(method, args[0]?.url ?? args[0]);
    const answer = fetched.apply(this, args);
    // a turn later the page has begun to read the body, which counts on its own
    answer.then(() => turn().then(done), () => turn().then(done));
    return answer;
  };
  for (const name of ["json", "text", "blob", "arrayBuffer", "formData"]) {
    const read = Response.prototype[name];
    Response.prototype[name] = function (...args) {
      const done = add("request", `body of ${this.url}`);
      const body = read.apply(this, args);
      body.then(() => turn().then(done), () => turn().then(done));
      return body;
    };
  }
}

const opened = XMLHttpRequest.prototype.open;
const sent = XMLHttpRequest.prototype.send;
const asked = new WeakMap();
XMLHttpRequest.prototype.open = function (method, address, ...rest) {
  asked.set(this, [method, address]);
  return opened.call(this, method, address, ...rest);
};
XMLHttpRequest.prototype.send = function (...args) {
  const done = request(...(asked.get(this) || ["GET", ""]));
  this.addEventListener("loadend", () => turn().then(done), { once: true });
  try { return sent.apply(this, args); } catch (error) { done(); throw error; }
};

// ---- timers and frames

function link(delay, limit) {
  const parent = chain;
  const spent = (parent?.spent || 0) + delay;
  const depth = (parent?.depth || 0) + 1;
  const counted = (parent ? parent.counted : tracking) && spent <= TIMER_LIMIT && depth <= limit;
  return { spent, depth, counted };
}

function within(inner, callback, done) {
  return function (...args) {
    const outer = chain;
    chain = inner;
    try { return callback.apply(this, args); } finally { chain = outer; done(); }
  };
}

function wrap(start, stop, what, limit, delayOf) {
  const running = new Map();
  const begin = window[start];
  const end = window[stop];
  if (!begin) return;
  window[start] = function (callback, ...rest) {
    if (typeof callback !== "function") return begin.call(window, callback, ...rest);
    const inner = link(delayOf(rest[0]), limit);
    const finish = inner.counted ? add("timer", what) : () => {};
    const id = begin.call(window, within(inner, callback, () => { running.delete(id); finish(); }), ...rest);
    running.set(id, finish);
    return id;
  };
  window[stop] = function (id) {
    running.get(id)?.();
    running.delete(id);
    return end.call(window, id);
  };
}

wrap("setTimeout", "clearTimeout", "a short timer", CHAIN_LIMIT, (delay) => Math.max(0, Number(delay) || 0));
wrap("requestAnimationFrame", "cancelAnimationFrame", "an animation frame", FRAME_LIMIT, () => 0);
wrap("requestIdleCallback", "cancelIdleCallback", "an idle callback", FRAME_LIMIT, () => 0);

// ---- documents, scripts, changes

if (window.navigation) {
  const leaving = [];
  navigation.addEventListener("navigate", (event) => {
    const there = event.destination;
    if (there.sameDocument || event.downloadRequest !== null || !/^https?:/.test(there.url)) return;
    const done = add("navigation", there.url, { to: withoutHash(there.url) });
    leaving.push(done);
    event.signal.addEventListener("abort", done);
  });
  const arrived = () => leaving.splice(0).forEach((done) => done());
  navigation.addEventListener("navigatesuccess", arrived);
  navigation.addEventListener("navigateerror", arrived);
}

function withoutHash(address) { return address.split("#", 1)[0]; }

// Called by the driver: a navigation brought no document (204, a download), which the document itself is not told.
function dropped(address) {
  for (const [id, entry] of pending) if (entry.to === withoutHash(address)) pending.delete(id);
  wake();
}

function loading(node) {
  const asset = (node.localName === "script" && node.src) ||
    (node.localName === "link" && /stylesheet|modulepreload/.test(node.rel) && node.href);
  if (!asset) return;
  const done = add("script", asset);
  for (const event of ["load", "error"]) node.addEventListener(event, () => turn().then(done), { once: true });
}

const observer = new MutationObserver((records) => {
  lastMutation = real.now();
  if (document.readyState === "complete") records.forEach((record) => record.addedNodes.forEach(loading));
  wake();
});
const everything = { childList: true, subtree: true, characterData: true, attributes: true };
observer.observe(document, everything);
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
  const root = attach.call(this, { ...options, mode: "open" }); // what is in a closed one is drawn all the same
  observer.observe(root, everything);
  return root;
};
for (const event of ["input", "change", "focusin", "readystatechange", "scroll", "toggle"]) {
  document.addEventListener(event, wake, { capture: true, passive: true });
}
const openWindow = window.open;
let popups = 0;
window.open = function (...args) { popups += 1; return openWindow.apply(this, args); };
window.addEventListener("click", (event) => {
  const anchor = event.composedPath().find((node) => node.localName === "a" || node.localName === "area");
  if (anchor?.target && anchor.href && !/^_(self|top|parent)$/.test(anchor.target)) popups += 1;
}, true);

// The field that the last click asked files for, and how many clicks did: the browser's dialog is no part of the page.
const filing = { asked: null, times: 0 };
function askForFiles(el) { filing.asked = el; filing.times += 1; }
window.addEventListener("click", (event) => {
  const [el] = event.composedPath();
  const ask = () => { if (!event.defaultPrevented) askForFiles(el); };
  if (el.localName === "input" && el.type === "file" && !el.disabled) real.setTimeout(ask, 0);
}, true);
window.addEventListener("change", ({ target }) => { if (target === filing.asked) filing.asked = null; }, true);
window.addEventListener("muster:asked", (event) => { if (event.composedPath()[0] === filing.asked) event.preventDefault(); }, true);
const clickScripted = HTMLElement.prototype.click;
HTMLElement.prototype.click = function () {
  if (this.type === "file" && !this.isConnected) askForFiles(this); // no event of it reaches the window
  return clickScripted.call(this);
};

// ---- settling

// Whether an entry that has been waited for in vain is a request that the action made and that may still bring news.
function owed(entry, patient) {
  return entry.kind === "request" && !entry.polled && entry.at >= began && real.now() - entry.at < patient;
}

// What was asked of a server since the last action, or for the document, and is not answered.
function unanswered() { return [...pending.values()].filter((entry) => owed(entry, Infinity)).map(({ what }) => what); }

function counts(entry, patient) {
  if (entry.given) return owed(entry, patient);
  if (entry.polled && real.now() > settling + POLLED_LIMIT) return false;
  if (entry.brief && !patient && real.now() > entry.at + entry.brief) return false;
  return entry.at >= began - TIMER_LIMIT; // what ran long before the action is not its consequence
}

function unloaded() {
  if (document.readyState === "complete") return [];
  const late = document.readyState === "interactive" && real.now() > 3000; // a slow image or frame holds nobody up
  return late ? [] : ["the document"];
}

// Another page that the document itself has the browser go to soon, which nothing tells of before that has begun.
function refreshing() {
  const [, seconds, address] = /^\s*(\d+)[\d.]*\s*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(document.querySelector("meta[http-equiv=refresh i]")?.content) || [];
  if (!address || seconds * 1000 > TIMER_LIMIT) return [];
  const loaded = performance.getEntriesByType("navigation")[0]?.loadEventEnd || real.now();
  return real.now() - loaded < seconds * 1000 + TIMER_LIMIT ? [`a refresh to ${address}`] : [];
}

function waitingFor(deep = 0, patient = 0) {
  const left = [...pending.values()].filter((entry) => counts(entry, patient));
  const own = left.map((entry) => entry.what).concat(unloaded(), refreshing());
  if (deep > 3) return own;
  for (let index = 0; index < Math.min(window.frames.length, 10); index += 1) {
    try {
      own.push(...(window.frames[index].__muster?.waitingFor(deep + 1, patient) || []));
    } catch { /* another origin */ }
  }
  return own;
}

function busy(patient = 0) { return waitingFor(0, patient).length > 0; }

function leavingNow() {
  return [...pending.values()].some((entry) => entry.kind === "navigation" && counts(entry, 0));
}

// Resolves when nothing is pending: at once if nothing was; after `timeout` ms in any case (`patience` ms while
// navigating; `patient` ms after it was sent for a request of the last action).
async function settle({ timeout, patience = timeout, patient = 0, fresh = false }) {
  if (isStill) return [];
  const start = real.now();
  settling = tracking ? start : start - POLLED_LIMIT; // nobody who only looks waits for what is asked all the time
  const over = () => real.now() - start > Math.max(leavingNow() ? patience : timeout, patient);
  let waited = fresh && lastMutation > lastDrawn && real.now() - lastMutation < 50;
  await turn();
  for (;;) {
    while (busy(patient) && !over()) { waited = true; await woken(50); }
    if (!waited || over()) break;
    const before = real.now();
    await frame();
    await frame();
    lastDrawn = before;
    if (!busy(patient)) break;
  }
  const left = waitingFor();
  for (const entry of pending.values()) entry.given = true; // nobody waits twice for the same thing
  tracking = false;
  return left;
}

// Waits for the end of what has begun to move or to fade since the action; answers whether anything has.
async function moved() {
  const isShort = ({ playState, startTime, currentTime, effect }) => playState === "running" && (startTime ?? began) >= began &&
    effect.getComputedTiming().endTime - (currentTime ?? 0) <= TIMER_LIMIT;
  const all = isStill ? [] : document.getAnimations().filter(isShort);
  if (!all.length) return false;
  await Promise.race([Promise.allSettled(all.map((one) => one.finished)), new Promise((resolve) => { real.setTimeout(resolve, TIMER_LIMIT); })]);
  await frame(); // what waited for the end has heard of it
  return true;
}

async function changed({ since, wait }) {
  if (wait && since === version && !isStill) await woken(wait);
}
