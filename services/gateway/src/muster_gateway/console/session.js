// The user: name, role, and what the role does not allow.
import { get, onUnauthorised, post } from "./api.js";
import { useEffect, useState } from "./html.js";

const RANK = { viewer: 1, runner: 2, admin: 3 };
const listeners = new Set();
let who = { known: false, name: "", role: "", open: true, refused: false };

function become(next) {
  who = next;
  for (const listener of [...listeners]) listener(who);
}

/** Load the user from the gateway; 401 leads to the login page. */
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

/** Log in with a key; throws an ApiError if it is invalid. */
export async function logIn(key) {
  await post("/login", { key });
  await recognise();
}

/** Log out. */
export async function logOut() {
  await post("/logout");
  become({ known: true, name: "", role: "", open: false, refused: true });
}

/** `{known, name, role, open, refused}`; rerenders on changes. */
export function useWho() {
  const [shown, show] = useState(who);
  useEffect(() => {
    listeners.add(show);
    show(who);
    return () => listeners.delete(show);
  }, []);
  return shown;
}

/** Why the user may not do something that needs a role (`runner`, `admin`); empty if allowed. */
export function useForbidden(role) {
  const { known, role: mine, open } = useWho();
  if (!known || open || (RANK[mine] ?? 0) >= RANK[role]) return "";
  return `This needs the role ${role}; your key has ${mine ? `the role ${mine}` : "no role"}.`;
}
