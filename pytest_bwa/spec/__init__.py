"""Reads task specs and samples lists, checks them, and fills in their placeholders."""
