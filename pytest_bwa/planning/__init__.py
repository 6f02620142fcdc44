"""Before a run: plain language to a spec, a listing to samples (F-12 to F-15); not built yet."""
