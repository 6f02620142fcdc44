"""The loop: order, limits, states and endings of one sample."""
