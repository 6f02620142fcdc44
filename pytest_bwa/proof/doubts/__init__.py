"""What speaks against a place, one module each; a doubt flags a sample and never refuses an answer."""
