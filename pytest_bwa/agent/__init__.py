"""The agent loop: runs one sample step by step, within its limits, to its outcome."""
