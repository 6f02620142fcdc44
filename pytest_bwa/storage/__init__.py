"""Evidence in an object store: runs are uploaded as they are written, and fetched to be read."""
