"""What a task may reach over the network, and what it may send."""
