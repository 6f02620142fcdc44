"""Watchers of a sample: after each step they add notices for the model. One watcher per file."""
