"""What a page calls its texts, and whether that is what a field is called."""
