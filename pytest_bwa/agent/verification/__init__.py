"""What an action changed on the page."""
