"""What the plugin writes on the terminal besides pytest's own lines and the summary."""
