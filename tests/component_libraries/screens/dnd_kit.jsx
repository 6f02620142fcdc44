// dnd-kit: a list whose entries are moved with the pointer or with the keyboard.
import { DndContext, KeyboardSensor, PointerSensor, closestCenter, useSensor, useSensors } from "@dnd-kit/core";
import { SortableContext, arrayMove, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { useState } from "react";
import { createRoot } from "react-dom/client";

function Entry({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: CSS.Transform.toString(transform), transition, padding: 8, border: "1px solid", width: 300 };
  return <li ref={setNodeRef} style={style} {...attributes} {...listeners}>{id}</li>;
}

function Row({ id }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: CSS.Transform.toString(transform), transition, padding: 8, width: 300, display: "flex", gap: 8 };
  return (
    <div ref={setNodeRef} style={style}>
      <span ref={setActivatorNodeRef} {...attributes} {...listeners} aria-label={`Move ${id}`}>⠿</span>{id}
    </div>
  );
}

function List({ start, Item }) {
  const [items, setItems] = useState(start);
  const sensors = useSensors(useSensor(PointerSensor), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }));
  const drop = ({ active, over }) => {
    if (over && active.id !== over.id) setItems((list) => arrayMove(list, list.indexOf(active.id), list.indexOf(over.id)));
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
      <SortableContext items={items} strategy={verticalListSortingStrategy}>{items.map((id) => <Item key={id} id={id} />)}</SortableContext>
      <p>Order: {items.join(", ")}</p>
    </DndContext>
  );
}

createRoot(document.getElementById("root")).render(
  <><h1>Priorities</h1><ul><List start={["Write", "Test", "Ship"]} Item={Entry} /></ul><h2>Guests</h2><List start={["Ada", "Bob", "Cyd"]} Item={Row} /></>,
);
