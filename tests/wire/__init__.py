"""Tests of the claude policy against a local server that speaks the Messages API."""
