"""Choosing an option of a list."""
