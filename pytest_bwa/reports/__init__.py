"""What people read, made from SampleResult and nothing else."""
