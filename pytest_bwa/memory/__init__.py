"""What later samples and runs learn from earlier ones (F-62 to F-64); not built yet."""
