"""Reports for people: each is made from the records of finished samples and runs."""
