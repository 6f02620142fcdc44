"""What people hand over: a page for each sample and one for the run, beside the evidence."""
