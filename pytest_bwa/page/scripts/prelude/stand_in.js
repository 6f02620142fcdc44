const NATIVE_APPLY = Reflect.apply; // a page may replace it later

/**
 * Puts `work` in the place of a function of the page, which pages take for the original: its text, its
 * name and its length are the same.
 * @param {string} name
 * @param {(original: any, self: any, args: any) => any} work
 */
function standIn(owner, name, work) {
  owner[name] = new Proxy(owner[name], { apply: work });
}
