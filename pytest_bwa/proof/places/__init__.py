"""Where on a page a value stood, as data, and how it is read from there again."""
