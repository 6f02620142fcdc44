"""What is written to disk, and how it is proven to be what was written."""
