"""pytest-bwa: one browser agent, one web task, every row of a list, and the evidence."""

__version__ = "0.1.0"
