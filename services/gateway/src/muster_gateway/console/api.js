// The gateway's API: JSON over fetch; refusals become errors with readable reasons.

/** A refusal of the gateway, or no answer (status 0); `reasons` are sentences. */
export class ApiError extends Error {
  constructor(status, title, reasons = [], retry = 0) {
    super(reasons.join(" ") || title);
    Object.assign(this, { status, title, reasons: reasons.length ? reasons : [title], retry });
  }
}

const refused = new Set();

/** Call a function whenever the gateway requires a key (401). */
export function onUnauthorised(listener) {
  refused.add(listener);
  return () => refused.delete(listener);
}

/** GET a JSON document; `query` can contain arrays, empty entries are omitted. */
export const get = (path, query, options) => ask("GET", path, { query, ...options });

/** POST a body: an object as JSON, or text with the content type `type`. */
export const post = (path, body, options) => ask("POST", path, { body, ...options });

/** DELETE a path. */
export const remove = (path, options) => ask("DELETE", path, options);

/** Send a request: `{query, body, type, signal, headers}`; returns the decoded JSON, or throws an ApiError. */
export async function ask(method, path, { query, body, type, signal, headers = {} } = {}) {
  const sent = { method, signal, headers: { Accept: "application/json", ...headers }, credentials: "same-origin" };
  if (body !== undefined) {
    sent.body = typeof body === "string" ? body : JSON.stringify(body);
    sent.headers["Content-Type"] = type ?? "application/json";
  }
  const response = await reach(path + search(query), sent);
  if (response.ok) return read(response);
  const error = await problem(response);
  if (error.status === 401 && path !== "/login") for (const listener of [...refused]) listener(error);
  throw error;
}

async function reach(address, sent) {
  try {
    return await fetch(address, sent);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The gateway does not answer", ["The gateway does not answer. The console keeps trying."]);
  }
}

async function read(response) {
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") ?? "";
  return type.includes("json") ? response.json() : response.text();
}

async function problem(response) {
  const retry = Number(response.headers.get("Retry-After")) || 0;
  try {
    const { title, reasons, detail } = await response.json();
    return new ApiError(response.status, title ?? response.statusText, reasons ?? (detail ? [detail] : []), retry);
  } catch {
    return new ApiError(response.status, response.statusText || `status ${response.status}`, [], retry);
  }
}

function search(query = {}) {
  const made = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") made.append(name, String(one));
    }
  }
  const text = made.toString();
  return text ? `?${text}` : "";
}

/** Path made of parts that are encoded: `at("runs", run, "nodes", node)`. */
export const at = (...parts) => "/" + parts.map(encodeURIComponent).join("/");

/** Address of a file of a run; slashes in its name stay. */
export const artifactHref = (run, name) =>
  `${at("runs", run, "artifacts")}/${name.split("/").map(encodeURIComponent).join("/")}`;
