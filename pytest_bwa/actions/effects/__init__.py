"""What an action changed at its element."""
