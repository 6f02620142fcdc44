"""What pytest sees: hooks, options, fixtures, and what one pytest process knows."""
