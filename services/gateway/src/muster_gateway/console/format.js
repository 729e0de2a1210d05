// Formats durations, times, counts and money, and decides which addresses become links. Pure.
import { OVER } from "./words.js";

/** Whether a run has its verdict, by its row. */
export const isOver = (row) => OVER.includes(row.status);

/** `420 ms`, `8.3 s`, `2 m 05 s`, `1 h 04 m`, `3 d 2 h`; takes seconds. */
export function duration(seconds) {
  if (!Number.isFinite(seconds) || seconds < 0) return "";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${two(whole % 60)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

const two = (number) => String(number).padStart(2, "0");

/** `just now`, `42 s ago`, `7 m ago`, `3 h ago`, `5 d ago`; takes unix seconds. */
export function ago(at, now) {
  const seconds = Math.max(0, now - at);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** Date and time in the reader's time zone; takes unix seconds. */
export const moment = (at) => new Date(at * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** `14:03:07.120`; takes unix seconds. */
export function clock(at) {
  const date = new Date(at * 1000);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${parts}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** `873`, `12.4k`, `3.1M`. */
export function count(number) {
  if (!Number.isFinite(number)) return "";
  if (number < 1000) return String(number);
  if (number < 999_950) return `${trim(number / 1000)}k`;
  return `${trim(number / 1e6)}M`;
}

const trim = (number) => (number < 100 ? number.toFixed(1).replace(/\.0$/, "") : number.toFixed(0));

/** `$0.0042`, `$0.31`, `$12.40`; empty for nothing. */
export function money(amount) {
  if (!Number.isFinite(amount) || amount <= 0) return "";
  if (amount < 0.0001) return "<$0.0001";
  return `$${amount < 0.1 ? amount.toFixed(4).replace(/0{1,2}$/, "") : amount.toFixed(2)}`;
}

/** `812 B`, `4.2 kB`, `31 MB`. */
export function bytes(size) {
  if (!Number.isFinite(size)) return "";
  if (size < 1000) return `${size} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = size / 1000;
  let at = 0;
  while (value >= 999.5 && at < units.length - 1) (value /= 1000), at++;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[at]}`;
}

/** A duration in seconds; empty for none. */
export const took = (seconds) => (seconds > 0 ? duration(seconds) : "");

/** A name from the wire as words: `model_unavailable` is `model unavailable`. */
export const inWords = (name) => String(name ?? "").replaceAll("_", " ");

/** `1 run`, `3 runs`. */
export const plural = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** The address if it is safe as a link: http, https, or relative to this origin; else undefined. */
export function safeHref(address) {
  if (typeof address !== "string" || !address) return undefined;
  try {
    const { protocol } = new URL(address, location.origin);
    return protocol === "http:" || protocol === "https:" ? address : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text without terminal sequences; control characters and direction overrides become visible marks.
 */
export const plain = (text) =>
  String(text ?? "")
    .replaceAll("\r\n", "\n")
    .replace(/\u001b\][^\u0007\u001b\n]*(\u0007|\u001b\\)?/g, "")
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\u{e0000}-\u{e0fff}]/gu, "\ufffd");

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const QUOTES = /("[^"\n]*"|“[^”\n]*”|«[^»\n]*»)/;

/** The text as plain text in parts `{text, apart}`; the quoted ones are apart if any of it is written from right to left. */
export function quoted(text) {
  const clean = plain(text);
  const parts = RIGHT_TO_LEFT.test(clean) ? clean.split(QUOTES) : [clean];
  return parts.map((part, at) => ({ text: part, apart: at % 2 === 1 }));
}
