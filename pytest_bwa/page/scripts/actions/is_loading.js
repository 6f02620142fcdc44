// Uses: prelude/page_api.js

/** Whether the document shows a placeholder of what it still loads. */
function isLoading() {
  return (pageApi()?.placeholders() ?? []).length > 0;
}
