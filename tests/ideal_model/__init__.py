"""An ideal model on single pages and on sites of several levels: it reads the real prompts, and
makes the decision that a perfect reader would make. What it costs, or cannot do, is the fault of
the prompt or of an action."""
