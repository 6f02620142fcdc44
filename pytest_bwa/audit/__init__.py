"""One task over one list: planned, prepared, opened, run and salvaged; the composition root."""
