"""What a model is asked besides the decisions and what belongs to them."""
