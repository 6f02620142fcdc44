"""The server of the model: its address and key, its context window, and what to do if it fails."""
