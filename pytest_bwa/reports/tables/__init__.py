"""The tables of a run, for people who work with spreadsheets."""
