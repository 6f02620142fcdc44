"""Which pages each rule decides: ``python tests/bench --rules``."""
