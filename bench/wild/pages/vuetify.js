import "vuetify/styles";
import { createVuetify } from "vuetify";
import * as components from "vuetify/components";
import { mount } from "../vue.js";

mount(`<v-app><v-main class="pa-4">
  <h1>Team</h1>
  <v-tabs :model-value="view.state.tab" @update:model-value="team.open"><v-tab value="Members">Members</v-tab><v-tab value="Settings">Settings</v-tab></v-tabs>
  <div v-if="view.state.tab === 'Members'">
    <v-text-field label="Name" :model-value="view.state.draft.name" @update:model-value="team.edit('name', $event)" />
    <v-select label="Role" :items="roles" :model-value="view.state.draft.role" @update:model-value="team.edit('role', $event)" />
    <v-checkbox label="Active" :model-value="view.state.draft.active" @update:model-value="team.edit('active', $event)" />
    <v-btn color="primary" :disabled="!view.canAdd" @click="team.add">Add</v-btn>
    <v-text-field label="Search" :model-value="view.state.query" @update:model-value="team.search($event ?? '')" />
    <p id="count">{{ view.count }}</p>
    <v-table><thead><tr><th>Name</th><th>Role</th><th>State</th><th></th></tr></thead><tbody>
      <tr v-for="one in view.shown" :key="one.id"><td>{{ one.name }}</td><td>{{ one.role }}</td><td><v-chip>{{ one.active ? 'active' : 'away' }}</v-chip></td>
        <td><v-btn size="small" @click="team.askToRemove(one.id)">Remove</v-btn></td></tr></tbody></v-table>
  </div>
  <div v-else>
    <v-textarea label="Notes" :model-value="view.state.notes" @update:model-value="team.write" />
    <v-switch label="Dark mode" :model-value="view.state.dark" @update:model-value="team.darken" />
    <v-btn color="primary" @click="team.save">Save</v-btn>
  </div>
  <v-snackbar :model-value="!!view.state.notice" :timeout="-1">{{ view.state.notice }}</v-snackbar>
  <v-dialog :model-value="!!view.state.asked" persistent width="300"><v-card><v-card-text>{{ view.question }}</v-card-text>
    <v-card-actions><v-btn @click="team.answer(false)">Cancel</v-btn><v-btn @click="team.answer(true)">Yes, remove</v-btn></v-card-actions></v-card></v-dialog>
  <v-dialog :model-value="view.state.saved" persistent width="300"><v-card><v-card-text>Your settings were saved</v-card-text>
    <v-card-actions><v-btn @click="team.close">Understood</v-btn></v-card-actions></v-card></v-dialog>
</v-main></v-app>`, [[createVuetify({ components })]]).mount("#root");
