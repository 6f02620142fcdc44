"""From an Action to an ActionResult."""
