// Code editors paint their lines beside the field in which one types, hidden from screen readers, and
// leave that field empty.

const EDITOR = "[role=code]";
const LAYER = "[aria-hidden=true]";

// Whether a field without a content of its own is the one in which one types into a code editor.
function isFieldOfEditor(el) {
  return closest(el, EDITOR) !== null && !contentOf(el).trim();
}

// The lines that the editor around its field paints, in the order of the screen: those in view. A last
// line says if there are more.
function linesOfEditor(el) {
  const editor = closest(el, EDITOR);
  const layers = editor ? findAll(editor, LAYER).filter(hasLines) : [];
  // The numbers of the lines stand in a layer before that of the lines.
  const codeIn = (layer) => member(layer, "textContent").replace(/[\d\s]/g, "").length;
  const most = Math.max(0, ...layers.map(codeIn));
  const lines =
    most || layers.length > 1 ? layers.filter((one) => codeIn(one) === most).at(-1) : null;
  if (!editor || !lines) return "";
  const inOrder = sortedBy([...childrenOf(lines)], (line) => boxOf(line).top);
  const texts = inOrder.map((line) => member(line, "textContent"));
  if (!isShownInPart(lines, inOrder, boxOf(editor))) return texts.join("\n");
  cutTexts++;
  return [...texts, "…"].join("\n");
}

/**
 * Whether the lines of an editor go on above or below its box. Below the last line, many editors leave
 * room to scroll on.
 */
function isShownInPart(layer, lines, editor) {
  if (boxOf(layer).height <= editor.height + 1) return false;
  const [first, last] = [boxOf(lines[0]), boxOf(lines.at(-1))];
  return boxOf(layer).top < first.top - 1 || last.bottom + last.height > editor.bottom;
}

function hasLines(layer) {
  return childrenOf(layer).length > 0 && member(layer, "textContent").trim() !== "";
}
