"""What a page says, where on it, and whose it is: what policies, proof and recipes speak of."""
