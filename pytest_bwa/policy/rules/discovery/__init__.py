"""Finding samples in a list without a model."""
