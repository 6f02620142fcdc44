// Ant Design: a form with its own selects, a table with chosen rows, a modal that zooms in.
import {
  Alert, Badge, Button, Cascader, Checkbox, DatePicker, Descriptions, Form, Input, InputNumber, Modal, Progress,
  Radio, Segmented, Select, Slider, Space, Steps, Switch, Table, Tabs, Tag, Tree, message,
} from "antd";
import dayjs from "dayjs";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const COLUMNS = [
  { title: "Name", dataIndex: "name", sorter: (a, b) => a.name.localeCompare(b.name), defaultSortOrder: "ascend" },
  { title: "Age", dataIndex: "age", filters: [{ text: "Adults", value: 18 }], onFilter: (v, row) => row.age >= v },
  { title: "Tags", dataIndex: "tags", render: (tags) => tags.map((tag) => <Tag key={tag} color="blue">{tag}</Tag>) },
  { title: "Action", render: (_, row) => <Space><a href={`#/invite/${row.key}`}>Invite {row.name}</a></Space> },
];
const ROWS = [
  { key: "1", name: "John Brown", age: 32, tags: ["NICE", "DEVELOPER"] },
  { key: "2", name: "Jim Green", age: 42, tags: ["LOSER"] },
  { key: "3", name: "Joe Black", age: 17, tags: [] },
];
const COLORS = ["Red", "Green", "Blue", "Yellow"].map((label) => ({ value: label.toLowerCase(), label }));
const TREE = [{ title: "Root", key: "0", children: [{ title: "Leaf one", key: "0-0" }, { title: "Leaf two", key: "0-1" }] }];
const PLACES = [{ value: "zj", label: "Zhejiang", children: [{ value: "hz", label: "Hangzhou" }] }];

function Account() {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(["2"]);
  const [messages, holder] = message.useMessage();
  return (
    <div style={{ width: 800, padding: 16 }}>
      {holder}
      <h1>Account</h1>
      <Alert type="warning" message="Your plan ends on 30 June" showIcon closable />
      <Descriptions title="Plan" bordered size="small" items={[
        { key: "1", label: "Product", children: "Cloud database" }, { key: "2", label: "Region", children: "eu-west-1" },
        { key: "3", label: "Status", children: <Badge status="processing" text="Running" /> },
      ]} />
      <Form layout="horizontal" labelCol={{ span: 6 }} initialValues={{ user: "ida", color: "green", seats: 3 }}>
        <Form.Item label="Username" name="user" rules={[{ required: true }]}><Input /></Form.Item>
        <Form.Item label="Favourite colour" name="color"><Select options={COLORS} /></Form.Item>
        <Form.Item label="Teams"><Select mode="multiple" defaultValue={["blue"]} options={COLORS} placeholder="Choose teams" /></Form.Item>
        <Form.Item label="Seats" name="seats"><InputNumber min={1} max={9} /></Form.Item>
        <Form.Item label="Renewal"><DatePicker defaultValue={dayjs("2026-06-30")} /></Form.Item>
        <Form.Item label="Place"><Cascader options={PLACES} defaultValue={["zj", "hz"]} /></Form.Item>
        <Form.Item label="Newsletter"><Switch defaultChecked checkedChildren="on" unCheckedChildren="off" /></Form.Item>
        <Form.Item label="Discount"><Slider defaultValue={35} /></Form.Item>
        <Form.Item label="Size"><Radio.Group defaultValue="m" optionType="button" options={[{ label: "Small", value: "s" }, { label: "Medium", value: "m" }]} /></Form.Item>
        <Form.Item label="Channels"><Checkbox.Group options={["Mail", "Phone"]} defaultValue={["Phone"]} /></Form.Item>
        <Checkbox indeterminate>Check all</Checkbox>
      </Form>
      <Segmented options={["Daily", "Weekly", "Monthly"]} defaultValue="Weekly" />
      <Steps current={1} size="small" items={[{ title: "Finished" }, { title: "In progress" }, { title: "Waiting" }]} />
      <Progress percent={72} style={{ width: 300 }} />
      <Tabs defaultActiveKey="b" items={[{ key: "a", label: "People" }, { key: "b", label: "Rights", children: "Two rights are open" }]} />
      <Table columns={COLUMNS} dataSource={ROWS} size="small" pagination={{ pageSize: 2 }}
        rowSelection={{ selectedRowKeys: chosen, onChange: setChosen }} />
      <Tree treeData={TREE} defaultExpandAll defaultSelectedKeys={["0-1"]} checkable defaultCheckedKeys={["0-0"]} />
      <Button type="primary" onClick={() => setOpen(true)}>Close account</Button>
      <Modal title="Close the account?" open={open} onCancel={() => setOpen(false)}
        onOk={() => { setOpen(false); messages.success("Account closed"); }}>
        <p>All data of 3 seats is deleted.</p>
      </Modal>
    </div>
  );
}

createRoot(document.getElementById("root")).render(<Account />);
