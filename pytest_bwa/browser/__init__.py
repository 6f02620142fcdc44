"""Find or install a browser, start it, and replace it if it dies."""
