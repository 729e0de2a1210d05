import { Button, Checkbox, ConfigProvider, Form, Input, Modal, Select, Switch, Table, Tabs, message } from "antd";
import { useEffect } from "react";
import { mount } from "../react.jsx";
import * as team from "../team.js";

const COLUMNS = [
  { title: "Name", dataIndex: "name", sorter: (one, other) => one.name.localeCompare(other.name) },
  { title: "Role", dataIndex: "role" },
  { title: "State", render: (one) => (one.active ? "active" : "away") },
  { title: "", render: (one) => <Button size="small" onClick={() => team.askToRemove(one.id)}>Remove</Button> },
];

function Members({ draft, query }) {
  return <Form layout="vertical">
    <Form.Item label="Name" htmlFor="name"><Input id="name" value={draft.name} onChange={(event) => team.edit("name", event.target.value)} /></Form.Item>
    <Form.Item label="Role" htmlFor="role"><Select id="role" value={draft.role} onChange={(value) => team.edit("role", value)} options={team.ROLES.map((value) => ({ value }))} /></Form.Item>
    <Checkbox checked={draft.active} onChange={(event) => team.edit("active", event.target.checked)}>Active</Checkbox>
    <Button type="primary" disabled={!team.canAdd()} onClick={team.add}>Add</Button>
    <Input.Search aria-label="Search" value={query} onChange={(event) => team.search(event.target.value)} />
    <p id="count">{team.countText()}</p>
    <Table size="small" rowKey="id" pagination={false} columns={COLUMNS} dataSource={team.shown()} />
  </Form>;
}

function Settings({ notes, dark }) {
  return <Form layout="vertical">
    <Form.Item label="Notes" htmlFor="notes"><Input.TextArea id="notes" value={notes} onChange={(event) => team.write(event.target.value)} /></Form.Item>
    <Form.Item label="Dark mode" htmlFor="dark"><Switch id="dark" checked={dark} onChange={team.darken} /></Form.Item>
    <Button type="primary" onClick={team.save}>Save</Button>
  </Form>;
}

function App(state) {
  const [messages, holder] = message.useMessage();
  useEffect(() => { if (state.notice) messages.success(state.notice); }, [state.notice]);
  const content = state.tab === "Members" ? <Members {...state} /> : <Settings {...state} />;
  return <ConfigProvider>{holder}
    <h1>Team</h1>
    <Tabs activeKey={state.tab} onChange={team.open} items={["Members", "Settings"].map((key) => ({ key, label: key, children: key === state.tab && content }))} />
    <Modal title="Please confirm" open={state.asked !== null} onOk={() => team.answer(true)} onCancel={() => team.answer(false)} okText="Yes, remove">{team.question()}</Modal>
    <Modal title="Saved" open={state.saved} onCancel={team.close} footer={<Button onClick={team.close}>Understood</Button>} closable={false}>Your settings were saved</Modal>
  </ConfigProvider>;
}

mount(App);
