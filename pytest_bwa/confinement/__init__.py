"""What keeps a browser on the hosts of its task, and what it may send there."""
