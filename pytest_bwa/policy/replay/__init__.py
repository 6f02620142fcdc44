"""Recorded actions again, without a model."""
