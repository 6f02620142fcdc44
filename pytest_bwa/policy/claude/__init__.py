"""The claude policy: the Anthropic Messages API, or any server that speaks it."""
