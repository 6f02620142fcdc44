"""Before a run: a task in plain language, and samples that are found on pages."""
