"""What a text says: the same characters, a number, a date, or the same in another form."""
