"""One audit on many machines: the list goes to the workers of a Dask cluster in shards, and their
run folders come back and are merged (``bwa run``)."""
