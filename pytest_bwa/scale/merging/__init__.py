"""Several runs of one list, its shards, as one run."""
