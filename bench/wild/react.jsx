// Has a page of React drawn anew after each change of the team.
import { useReducer, useEffect } from "react";
import { createRoot } from "react-dom/client";
import * as team from "./team.js";

function Page({ Content }) {
  const [, again] = useReducer((count) => count + 1, 0);
  useEffect(() => team.watch(again), []);
  return <Content {...team.state} />;
}

export function mount(Content) {
  document.body.innerHTML = '<div id="root"></div>';
  createRoot(document.getElementById("root")).render(<Page Content={Content} />);
}
