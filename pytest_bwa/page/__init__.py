"""A sample's live page: its tabs and frames, and the scripts that run in it."""
