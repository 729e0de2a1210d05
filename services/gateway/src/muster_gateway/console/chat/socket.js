// The socket of a conversation, with reconnection from the cursor of the last event.
import { at, get } from "../api.js";

const FIRST_MS = 500;
const LONGEST_MS = 10_000;
const FINAL = [1000, 4400, 4401, 4403, 4404];

/** Call `onEvent` with each event once, in order of each source; `onState` gets live, away or over. Returns what ends it. */
export function connect(conversation, onEvent, onState) {
  let socket, timer, cursor = "", failures = 0, stopped = false;
  const open = () => {
    socket = new WebSocket(new URL(`${at("conversations", conversation, "live")}?after=${cursor}`, location.href.replace(/^http/, "ws")));
    socket.onopen = () => ((failures = 0), onState("live"));
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if (!frame.event) return;
      cursor = frame.cursor;
      onEvent(frame.event);
    };
    socket.onclose = ({ code }) => {
      if (stopped) return;
      if (FINAL.includes(code)) return onState("over");
      onState("away");
      if (failures) get("/whoami").catch(() => {}); // an expired login leads to the login page
      timer = setTimeout(open, Math.min(LONGEST_MS, FIRST_MS * 2 ** failures++));
    };
  };
  open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket.onmessage = null;
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}
