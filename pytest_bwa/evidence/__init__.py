"""The files of a run, and the hashes that prove that they were not changed."""
