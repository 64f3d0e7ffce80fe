"""What is rerun: one module an experiment."""
