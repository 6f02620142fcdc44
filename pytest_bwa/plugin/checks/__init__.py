"""What is checked of collected tests and their input before a sample runs."""
