// Has a page of Vue drawn anew after each change of the team.
import { createApp, reactive } from "vue";
import * as team from "./team.js";

export function mount(template, plugins) {
  document.body.innerHTML = '<div id="root"></div>';
  const view = reactive({ state: {}, shown: [], count: "", canAdd: false, question: "" });
  team.watch(() => Object.assign(view, { state: { ...team.state, draft: { ...team.state.draft } }, shown: team.shown(), count: team.countText(), canAdd: team.canAdd(), question: team.question() }));
  const app = createApp({ template, setup: () => ({ view, team, roles: team.ROLES }) });
  for (const [plugin, options] of plugins) app.use(plugin, options);
  return app;
}
