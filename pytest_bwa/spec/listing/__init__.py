"""What a listing leads to: the form of its addresses, and ids for the samples found there."""
