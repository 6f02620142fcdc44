// Uses: prelude/elements.js
// Uses: prelude/json.js
// Uses: prelude/page_api.js
// Uses: prelude/secrets.js

/** What a person can read in this document: its address, its text and what its fields contain. */
function readState() {
  const fields = findAll(document, "input, textarea, select").map((el) =>
    isSecret(el) ? "" : `${contentOf(el)}|${member(el, "checked") ?? ""}`,
  );
  return toJsonText({ url: location.href, text: pageText(), fields });
}
