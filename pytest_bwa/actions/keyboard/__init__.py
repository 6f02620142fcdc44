"""Typing text and pressing keys."""
