"""JSON Schema as a spec writes it: its parts, and what it says of dates."""
