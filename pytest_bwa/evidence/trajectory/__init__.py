"""What each sample observed, was sent, answered and did, step by step: trajectory.db."""
