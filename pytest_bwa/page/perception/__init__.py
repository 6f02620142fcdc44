"""From a page to an Observation."""
