"""What the first samples of a run taught, as data, and how the others are run by it without a
model."""
