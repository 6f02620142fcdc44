"""The rules policy: a deterministic reader that needs no model."""
