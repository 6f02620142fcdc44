"""The truth table: right and wrong answers of a scripted model on pages like those of real
applications, and which of them the harness takes, flags or refuses."""
