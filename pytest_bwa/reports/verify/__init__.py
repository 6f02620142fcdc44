"""Checks whether a run, or one sample of it, is as it was written; makes bags for archives."""
