"""Reviews: the walk through what a person should look at, and the reports of what was decided."""
