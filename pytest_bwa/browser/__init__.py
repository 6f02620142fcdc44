"""Which browser a run drives, how one is installed, and how it is kept alive."""
