"""Checks where an answer's values stand, says what speaks against them, and keeps pictures."""
