"""From a Turn to a Decision."""
