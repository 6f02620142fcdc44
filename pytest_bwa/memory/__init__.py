"""What samples learn for later ones: run memory within a run, lessons across runs."""
