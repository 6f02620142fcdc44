"""What a sample remembers of earlier pages and steps, for the prompt."""
