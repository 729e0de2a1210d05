import "@mantine/core/styles.css";
import { Button, Checkbox, MantineProvider, Modal, Notification, Select, Switch, Table, Tabs, TextInput, Textarea } from "@mantine/core";
import { mount } from "../react.jsx";
import * as team from "../team.js";

function Members({ draft, query }) {
  return <>
    <TextInput label="Name" withAsterisk value={draft.name} onChange={(event) => team.edit("name", event.target.value)} />
    <Select label="Role" data={team.ROLES} value={draft.role} onChange={(value) => team.edit("role", value)} allowDeselect={false} />
    <Checkbox label="Active" checked={draft.active} onChange={(event) => team.edit("active", event.target.checked)} />
    <Button disabled={!team.canAdd()} onClick={team.add}>Add</Button>
    <TextInput label="Search" value={query} onChange={(event) => team.search(event.target.value)} />
    <p id="count">{team.countText()}</p>
    <Table><Table.Thead><Table.Tr>{["Name", "Role", "State", ""].map((one) => <Table.Th key={one}>{one}</Table.Th>)}</Table.Tr></Table.Thead>
      <Table.Tbody>{team.shown().map((one) => <Table.Tr key={one.id}><Table.Td>{one.name}</Table.Td><Table.Td>{one.role}</Table.Td><Table.Td>{one.active ? "active" : "away"}</Table.Td>
        <Table.Td><Button size="xs" onClick={() => team.askToRemove(one.id)}>Remove</Button></Table.Td></Table.Tr>)}</Table.Tbody></Table>
  </>;
}

function Settings({ notes, dark }) {
  return <>
    <Textarea label="Notes" value={notes} onChange={(event) => team.write(event.target.value)} />
    <Switch label="Dark mode" checked={dark} onChange={(event) => team.darken(event.target.checked)} />
    <Button onClick={team.save}>Save</Button>
  </>;
}

mount((state) => <MantineProvider>
  <h1>Team</h1>
  <Tabs value={state.tab} onChange={team.open}><Tabs.List><Tabs.Tab value="Members">Members</Tabs.Tab><Tabs.Tab value="Settings">Settings</Tabs.Tab></Tabs.List>
    <Tabs.Panel value={state.tab}>{state.tab === "Members" ? <Members {...state} /> : <Settings {...state} />}</Tabs.Panel></Tabs>
  {state.notice && <Notification withCloseButton={false}>{state.notice}</Notification>}
  <Modal opened={state.asked !== null} onClose={() => team.answer(false)} withCloseButton={false}>{team.question()}<Button onClick={() => team.answer(false)}>Cancel</Button><Button onClick={() => team.answer(true)}>Yes, remove</Button></Modal>
  <Modal opened={state.saved} onClose={team.close} withCloseButton={false}>Your settings were saved<Button onClick={team.close}>Understood</Button></Modal>
</MantineProvider>);
