import Aura from "@primeuix/themes/aura";
import Button from "primevue/button";
import Checkbox from "primevue/checkbox";
import Column from "primevue/column";
import PrimeVue from "primevue/config";
import DataTable from "primevue/datatable";
import Dialog from "primevue/dialog";
import FloatLabel from "primevue/floatlabel";
import InputText from "primevue/inputtext";
import Message from "primevue/message";
import Select from "primevue/select";
import Tab from "primevue/tab";
import TabList from "primevue/tablist";
import TabPanel from "primevue/tabpanel";
import TabPanels from "primevue/tabpanels";
import Tabs from "primevue/tabs";
import Textarea from "primevue/textarea";
import ToggleSwitch from "primevue/toggleswitch";
import { mount } from "../vue.js";

const app = mount(`<main style="padding: 1em">
  <h1>Team</h1>
  <Tabs :key="view.refused" :value="view.state.tab" @update:value="put(team.open, 'tab', $event)"><TabList><Tab value="Members">Members</Tab><Tab value="Settings">Settings</Tab></TabList><TabPanels>
    <TabPanel value="Members">
      <FloatLabel variant="on"><InputText id="name" :model-value="view.state.draft.name" @update:model-value="team.edit('name', $event ?? '')" /><label for="name">Name</label></FloatLabel>
      <p><span id="role-label">Role</span> <Select aria-labelledby="role-label" :options="roles" :model-value="view.state.draft.role" @update:model-value="team.edit('role', $event)" /></p>
      <p><Checkbox input-id="active" binary :model-value="view.state.draft.active" @update:model-value="team.edit('active', $event)" /> <label for="active">Active</label></p>
      <Button label="Add" :disabled="!view.canAdd" @click="team.add" />
      <p><InputText aria-label="Search" :model-value="view.state.query" @update:model-value="team.search($event ?? '')" /></p>
      <p id="count">{{ view.count }}</p>
      <DataTable :value="view.shown"><Column field="name" header="Name" sortable /><Column field="role" header="Role" /><Column header="State"><template #body="{ data }">{{ data.active ? 'active' : 'away' }}</template></Column>
        <Column header=""><template #body="{ data }"><Button label="Remove" size="small" @click="team.askToRemove(data.id)" /></template></Column></DataTable>
    </TabPanel>
    <TabPanel value="Settings">
      <p><label for="notes">Notes</label> <Textarea id="notes" :model-value="view.state.notes" @update:model-value="team.write($event ?? '')" /></p>
      <p><ToggleSwitch input-id="dark" :model-value="view.state.dark" @update:model-value="put(team.darken, 'dark', $event)" /> <label for="dark">Dark mode</label></p>
      <Button label="Save" @click="team.save" />
    </TabPanel>
  </TabPanels></Tabs>
  <Message v-if="view.state.notice" severity="success">{{ view.state.notice }}</Message>
  <Dialog :visible="!!view.state.asked" modal :closable="false" header="Please confirm">{{ view.question }}<template #footer><Button label="Cancel" @click="team.answer(false)" /><Button label="Yes, remove" @click="team.answer(true)" /></template></Dialog>
  <Dialog :visible="view.state.saved" modal :closable="false" header="Saved">Your settings were saved<template #footer><Button label="Understood" @click="team.close" /></template></Dialog>
</main>`, [[PrimeVue, { theme: { preset: Aura, options: { darkModeSelector: false } } }]]);
const used = { Button, Checkbox, Column, DataTable, Dialog, FloatLabel, InputText, Message, Select, Tab, TabList, TabPanel, TabPanels, Tabs, Textarea, ToggleSwitch };
for (const [name, component] of Object.entries(used)) app.component(name, component);
app.mount("#root");
