"""Picture to curves: the digitizer."""
