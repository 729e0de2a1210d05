import { Button, Checkbox, Dialog, DialogActions, DialogContent, FormControlLabel, InputLabel, FormControl, MenuItem, Select, Snackbar, Switch, Tab, Table, TableBody, TableCell, TableHead, TableRow, Tabs, TextField } from "@mui/material";
import { mount } from "../react.jsx";
import * as team from "../team.js";

function Members({ draft, query }) {
  return <>
    <TextField label="Name" value={draft.name} onChange={(event) => team.edit("name", event.target.value)} />
    <FormControl sx={{ minWidth: 150 }}><InputLabel id="role-label">Role</InputLabel>
      <Select labelId="role-label" label="Role" value={draft.role} onChange={(event) => team.edit("role", event.target.value)}>
        {team.ROLES.map((one) => <MenuItem key={one} value={one}>{one}</MenuItem>)}
      </Select></FormControl>
    <FormControlLabel label="Active" control={<Checkbox checked={draft.active} onChange={(event) => team.edit("active", event.target.checked)} />} />
    <Button variant="contained" disabled={!team.canAdd()} onClick={team.add}>Add</Button>
    <TextField label="Search" type="search" value={query} onChange={(event) => team.search(event.target.value)} />
    <p id="count">{team.countText()}</p>
    <Table size="small"><TableHead><TableRow>{["Name", "Role", "State", ""].map((one) => <TableCell key={one}>{one}</TableCell>)}</TableRow></TableHead>
      <TableBody>{team.shown().map((one) => <TableRow key={one.id}><TableCell>{one.name}</TableCell><TableCell>{one.role}</TableCell><TableCell>{one.active ? "active" : "away"}</TableCell>
        <TableCell><Button size="small" onClick={() => team.askToRemove(one.id)}>Remove</Button></TableCell></TableRow>)}</TableBody></Table>
  </>;
}

function Settings({ notes, dark }) {
  return <>
    <TextField label="Notes" multiline minRows={3} value={notes} onChange={(event) => team.write(event.target.value)} />
    <FormControlLabel label="Dark mode" control={<Switch checked={dark} onChange={(event) => team.darken(event.target.checked)} />} />
    <Button variant="contained" onClick={team.save}>Save</Button>
  </>;
}

mount((state) => <>
  <h1>Team</h1>
  <Tabs value={state.tab} onChange={(_event, value) => team.open(value)}><Tab label="Members" value="Members" /><Tab label="Settings" value="Settings" /></Tabs>
  {state.tab === "Members" ? <Members {...state} /> : <Settings {...state} />}
  <Snackbar open={state.notice !== ""} message={state.notice} />
  <Dialog open={state.asked !== null} onClose={() => team.answer(false)}><DialogContent>{team.question()}</DialogContent>
    <DialogActions><Button onClick={() => team.answer(false)}>Cancel</Button><Button onClick={() => team.answer(true)}>Yes, remove</Button></DialogActions></Dialog>
  <Dialog open={state.saved} onClose={team.close}><DialogContent>Your settings were saved</DialogContent><DialogActions><Button onClick={team.close}>Understood</Button></DialogActions></Dialog>
</>);
