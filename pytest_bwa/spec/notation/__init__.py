"""How people write numbers and dates: marks, names and orders by locale, and what is certain."""
