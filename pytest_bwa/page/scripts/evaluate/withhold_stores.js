/**
 * Takes cookies and stored data out of the world in which models' scripts are evaluated: they hold
 * what a login is known by.
 */
function withholdStores() {
  withhold(Document.prototype, "cookie");
  withhold(window, "localStorage");
  withhold(window, "sessionStorage");
}

/**
 * @param {object} owner
 * @param {string} name
 */
function withhold(owner, name) {
  const get = () => {
    throw new Error(`${name} is not readable here`);
  };
  Object.defineProperty(owner, name, { get, configurable: true });
}
