"""What a downloaded file is: its bytes decide, not its name."""
