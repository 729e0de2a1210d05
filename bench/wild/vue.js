// Has a page of Vue drawn anew after each change of the team.
import { createApp, reactive } from "vue";
import * as team from "./team.js";

export function mount(template, plugins) {
  document.body.innerHTML = '<div id="root"></div>';
  const view = reactive({ state: {}, shown: [], count: "", canAdd: false, question: "", refused: 0 });
  team.watch(() => Object.assign(view, { state: { ...team.state, draft: { ...team.state.draft } }, shown: team.shown(), count: team.countText(), canAdd: team.canAdd(), question: team.question() }));
  // A component that keeps a state of its own is made anew, by this key, where the team does not take what it was told.
  const put = (set, name, value) => { set(value); if (team.state[name] !== value) view.refused += 1; };
  const app = createApp({ template, setup: () => ({ view, team, put, roles: team.ROLES }) });
  for (const [plugin, options] of plugins) app.use(plugin, options);
  return app;
}
