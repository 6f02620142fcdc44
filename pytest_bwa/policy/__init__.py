"""Policies, which turn a Turn into a Decision: claude and rules."""
