"""More than one process or machine: a cluster, shards that are merged, a store for runs."""
