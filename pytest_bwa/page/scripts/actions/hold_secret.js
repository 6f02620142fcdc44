// Remembers that a field holds a secret, whatever its type is now or later.
function holdSecret(el) {
  const field = tagOf(el) === "LABEL" ? el.control : el;
  if (field) KNOWN_SECRETS.add(field);
}
