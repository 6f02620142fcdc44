"""How a sample ends: what the agent answers, and what is kept when it broke off."""
