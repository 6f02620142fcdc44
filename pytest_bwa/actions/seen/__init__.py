"""What a policy has seen of the elements that it names."""
