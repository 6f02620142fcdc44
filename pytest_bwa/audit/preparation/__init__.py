"""Before a run: plan the task, find its samples, read the recording, open the audit."""
