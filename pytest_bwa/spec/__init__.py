"""Task specs and samples: read, checked, filled in."""
