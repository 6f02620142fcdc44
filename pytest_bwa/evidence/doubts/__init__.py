"""What speaks against an answer: another value or day, or a null that the page contradicts."""
