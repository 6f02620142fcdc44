"""From a Turn to a Decision: claude, rules, and later replay."""
