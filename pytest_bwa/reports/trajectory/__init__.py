"""Views of a trajectory: one step, a whole sample, files for other tools."""
