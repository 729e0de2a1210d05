// What a page asks its server over a connection that stays open: a WebSocket, or a body that is read as it comes. What is sent
// is a question until a message has come and no more has followed; `settle.js` waits for it as for a request. Runs before the
// page's scripts.

const QUIET = 250; // ms without a further message after which an answer is over
const ANSWER_LIMIT = 2000; // ms for which an answer is waited for that may never come
const SORT_LENGTH = 100; // letters of a message that tell what sort it is of
const talks = new WeakMap(); // connection → what is open on it

function talkOf(socket) {
  if (!talks.has(socket)) talks.set(socket, { done: null, sort: "", first: 0, timer: 0, isHearing: false, unheard: new Set() });
  return talks.get(socket);
}

function sortOf(data) { return typeof data === "string" ? data.replace(/\d+/g, "").slice(0, SORT_LENGTH) : `${data?.byteLength ?? data?.size} bytes`; }

function answered(talk) {
  real.clearTimeout(talk.timer);
  talk.done?.();
  talk.done = null;
}

// A question, unless it is sent while a message of the server is handled. Where nothing came for a sort of message, the next
// ones are hardly waited for until something does.
function ask(socket, data) {
  const talk = talkOf(socket);
  if (talk.isHearing || socket.readyState !== WebSocket.OPEN) return;
  if (talk.done && !talk.first) talk.unheard.add(talk.sort);
  answered(talk);
  talk.first = 0;
  talk.sort = sortOf(data);
  talk.done = request("SEND", socket.url, { sort: talk.sort, brief: talk.unheard.has(talk.sort) ? QUIET : ANSWER_LIMIT });
}

function hear(socket) {
  const talk = talkOf(socket);
  const now = real.now();
  talk.isHearing = true;
  turn().then(() => { talk.isHearing = false; });
  talk.first ||= now;
  if (!talk.done) return;
  talk.unheard.delete(talk.sort);
  real.clearTimeout(talk.timer);
  talk.timer = real.setTimeout(answered, Math.max(0, Math.min(QUIET, talk.first + TIMER_LIMIT - now)), talk);
}

if (window.WebSocket) {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    ask(this, data);
    return send.call(this, data);
  };
  window.WebSocket = new Proxy(WebSocket, {
    construct(made, args, target) {
      const socket = Reflect.construct(made, args, target);
      socket.addEventListener("message", () => hear(socket)); // the first to hear of it
      socket.addEventListener("close", () => answered(talkOf(socket)));
      return socket;
    },
  });
}

// A body that a page reads bit by bit, as it comes: the rest of it is owed.
if (window.ReadableStreamDefaultReader) {
  const readOn = ReadableStreamDefaultReader.prototype.read;
  ReadableStreamDefaultReader.prototype.read = function (...args) {
    const done = request("READ", "", { sort: "a stream", brief: ANSWER_LIMIT });
    const piece = readOn.apply(this, args);
    piece.then(() => turn().then(done), () => turn().then(done));
    return piece;
  };
}
