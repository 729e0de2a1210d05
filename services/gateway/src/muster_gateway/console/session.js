// Who is asking: name and role, and what that role may not do.
import { get, onUnauthorised, post } from "./api.js";
import { useEffect, useState } from "./html.js";

const RANK = { viewer: 1, runner: 2, admin: 3 };
const listeners = new Set();
let who = { known: false, name: "", role: "", open: true, refused: false };

function become(next) {
  who = next;
  for (const listener of [...listeners]) listener(who);
}

/** Ask the gateway who this is; 401 leads to the log-in page. */
export async function recognise() {
  try {
    become({ known: true, refused: false, ...(await get("/whoami")) });
  } catch (error) {
    if (error.status === 401) become({ ...who, known: true, refused: true, open: false });
    else if (error.status === 404) become({ known: true, refused: false, name: "", role: "admin", open: true });
    else setTimeout(recognise, 3000), become({ ...who, known: true, role: who.role || "admin" });
  }
}

onUnauthorised(() => who.refused || become({ ...who, known: true, refused: true, open: false }));

/** Log in with a key; throws an ApiError if it is not one. */
export async function logIn(key) {
  await post("/login", { key });
  await recognise();
}

/** Give the session up. */
export async function logOut() {
  await post("/logout");
  become({ known: true, name: "", role: "", open: false, refused: true });
}

/** `{known, name, role, open, refused}`, rendered again when it changes. */
export function useWho() {
  const [shown, show] = useState(who);
  useEffect(() => {
    listeners.add(show);
    show(who);
    return () => listeners.delete(show);
  }, []);
  return shown;
}

/** Why one may not do what takes a role (`runner`, `admin`), as a sentence; empty if one may. */
export function useForbidden(role) {
  const { known, role: mine, open } = useWho();
  if (!known || open || (RANK[mine] ?? 0) >= RANK[role]) return "";
  return `This takes the role ${role}; your key has the role ${mine || "of nobody"}.`;
}
