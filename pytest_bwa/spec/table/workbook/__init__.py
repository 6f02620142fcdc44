"""Reads an Excel workbook as Excel shows it."""
