// TipTap and CodeMirror: text that is no field, with its own lines, marks and tool bars.
import { javascript } from "@codemirror/lang-javascript";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { EditorView, basicSetup } from "codemirror";
import { useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";

const CONTENT = `<h2>Release notes</h2><p>This is <strong>bold</strong> and <em>slanted</em>.</p>
<ul><li><p>First point</p></li><li><p>Second point</p></li></ul><pre><code>npm test</code></pre>`;
const CODE = 'function greet(name) {\n  return "Hello " + name;\n}\n';

function Writing() {
  const editor = useEditor({ extensions: [StarterKit], content: CONTENT, immediatelyRender: true });
  const buttons = [["Bold", "toggleBold", "bold"], ["Italic", "toggleItalic", "italic"], ["Bullet list", "toggleBulletList", "bulletList"]];
  return (
    <section>
      <h1>Editors</h1>
      <div role="toolbar">
        {buttons.map(([label, command, name]) => (
          <button type="button" key={label} aria-pressed={editor.isActive(name)} onClick={() => editor.chain().focus()[command]().run()}>{label}</button>
        ))}
      </div>
      <EditorContent editor={editor} />
    </section>
  );
}

function Code() {
  const place = useRef(null);
  useEffect(() => {
    const view = new EditorView({ doc: CODE, extensions: [basicSetup, javascript()], parent: place.current });
    return () => view.destroy();
  }, []);
  return <div ref={place} style={{ border: "1px solid" }} />;
}

createRoot(document.getElementById("root")).render(<><Writing /><h2>Script</h2><Code /></>);
