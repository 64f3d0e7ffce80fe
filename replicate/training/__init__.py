"""Model, data, loop and checkpoints of the reruns."""
