"""Plain language → one call of a tool whose schema is that of a spec and its samples."""
