// react-virtuoso: a list and a table of which only the rows in view are in the document.
import { createRoot } from "react-dom/client";
import { TableVirtuoso, Virtuoso } from "react-virtuoso";

const USERS = Array.from({ length: 1000 }, (_, n) => ({ name: `User ${n}`, mail: `user${n}@example.org` }));

function Lists() {
  return (
    <>
      <h1>Members</h1>
      <Virtuoso style={{ height: 300, width: 400 }} data={USERS} aria-label="Members"
        itemContent={(index, user) => <div style={{ height: 30 }}><b>{user.name}</b> joined in {1000 + index} <button type="button" onClick={() => { document.title = user.name; }}>Invite</button></div>} />
      <TableVirtuoso style={{ height: 200, width: 500 }} data={USERS.slice(0, 100)}
        fixedHeaderContent={() => <tr><th style={{ background: "white" }}>Name</th><th>Mail</th></tr>}
        itemContent={(_, user) => <><td>{user.name}</td><td>{user.mail}</td></>} />
    </>
  );
}

createRoot(document.getElementById("root")).render(<Lists />);
