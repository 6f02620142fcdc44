"""Checks where the values of an answer stand, says what speaks against them, and keeps pictures of it."""
