"""What no text may say: secrets in each of their encodings, and the tokens of addresses."""
