"""What proves that a run is as it was written: chain, manifests, and where it came from."""
