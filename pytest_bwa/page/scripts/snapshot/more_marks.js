// "+2 more" after the first entries of a list: the others are shown under the pointer or by a press, and
// often no listener of its own says so.

const MORE_MARK = /^\+\s?\d{1,3}(\s?(\.{3}|…|\p{L}{2,12}))?$/u;
const REVEALS =
  "[title], [aria-label], [aria-haspopup], [aria-describedby], [data-state], [tabindex]";

function isMoreMark(el) {
  const first = GET_FIRST_CHILD.call(el);
  if (first?.nodeType !== Node.TEXT_NODE || !first.data.trimStart().startsWith("+")) return false;
  const mark = MORE_MARK.exec(fold(member(el, "textContent")));
  if (!mark) return false;
  return matches(el, REVEALS) || (!!mark[1] && followsEntries(el));
}

/**
 * Whether an element stands after entries of one kind.
 * @param {Element} el
 */
function followsEntries(el) {
  const last = member(el, "previousElementSibling");
  const other = last && member(last, "previousElementSibling");
  return !!last && (kindOf(last) === kindOf(el) || (!!other && kindOf(last) === kindOf(other)));
}
