"""Looks a value up in what the agent has observed."""
