"""What speaks against a place, one module each; a doubt flags a sample, and refuses no answer."""
