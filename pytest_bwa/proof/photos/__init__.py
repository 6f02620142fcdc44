"""The pictures that show the states of pages from which values come."""
