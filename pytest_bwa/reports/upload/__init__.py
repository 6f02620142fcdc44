"""The upload of runs to a store, as one of the reports."""
