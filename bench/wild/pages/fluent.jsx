import { Button, Checkbox, Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, Dropdown, Field, FluentProvider, Input, MessageBar, MessageBarBody, Option, SearchBox, Switch, Tab, TabList, Table, TableBody, TableCell, TableHeader, TableHeaderCell, TableRow, Textarea, webLightTheme } from "@fluentui/react-components";
import { mount } from "../react.jsx";
import * as team from "../team.js";

function Members({ draft, query }) {
  return <>
    <Field label="Name"><Input value={draft.name} onChange={(_event, data) => team.edit("name", data.value)} /></Field>
    <Field label="Role"><Dropdown value={draft.role} selectedOptions={[draft.role]} onOptionSelect={(_event, data) => team.edit("role", data.optionValue)}>{team.ROLES.map((one) => <Option key={one}>{one}</Option>)}</Dropdown></Field>
    <Checkbox label="Active" checked={draft.active} onChange={(_event, data) => team.edit("active", data.checked)} />
    <Button appearance="primary" disabled={!team.canAdd()} onClick={team.add}>Add</Button>
    <Field label="Search"><SearchBox value={query} onChange={(_event, data) => team.search(data.value)} /></Field>
    <p id="count">{team.countText()}</p>
    <Table><TableHeader><TableRow>{["Name", "Role", "State", "Actions"].map((one) => <TableHeaderCell key={one}>{one}</TableHeaderCell>)}</TableRow></TableHeader>
      <TableBody>{team.shown().map((one) => <TableRow key={one.id}><TableCell>{one.name}</TableCell><TableCell>{one.role}</TableCell><TableCell>{one.active ? "active" : "away"}</TableCell>
        <TableCell><Button size="small" onClick={() => team.askToRemove(one.id)}>Remove</Button></TableCell></TableRow>)}</TableBody></Table>
  </>;
}

function Settings({ notes, dark }) {
  return <>
    <Field label="Notes"><Textarea value={notes} onChange={(_event, data) => team.write(data.value)} /></Field>
    <Switch label="Dark mode" checked={dark} onChange={(_event, data) => team.darken(data.checked)} />
    <Button appearance="primary" onClick={team.save}>Save</Button>
  </>;
}

mount((state) => <FluentProvider theme={webLightTheme}>
  <h1>Team</h1>
  <TabList selectedValue={state.tab} onTabSelect={(_event, data) => team.open(data.value)}><Tab value="Members">Members</Tab><Tab value="Settings">Settings</Tab></TabList>
  {state.tab === "Members" ? <Members {...state} /> : <Settings {...state} />}
  {state.notice && <MessageBar intent="success"><MessageBarBody>{state.notice}</MessageBarBody></MessageBar>}
  <Dialog open={state.asked !== null}><DialogSurface><DialogBody><DialogContent>{team.question()}</DialogContent>
    <DialogActions><Button onClick={() => team.answer(false)}>Cancel</Button><Button onClick={() => team.answer(true)}>Yes, remove</Button></DialogActions></DialogBody></DialogSurface></Dialog>
  <Dialog open={state.saved}><DialogSurface><DialogBody><DialogContent>Your settings were saved</DialogContent><DialogActions><Button onClick={team.close}>Understood</Button></DialogActions></DialogBody></DialogSurface></Dialog>
</FluentProvider>);
