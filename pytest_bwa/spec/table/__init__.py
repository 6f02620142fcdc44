"""Reads a table from a file: CSV or Excel."""
