"""What samples leave to later ones: lessons of all runs, and hints of this one."""
