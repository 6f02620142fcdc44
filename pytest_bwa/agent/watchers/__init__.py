"""What watches a sample from step to step, one watcher a file."""
