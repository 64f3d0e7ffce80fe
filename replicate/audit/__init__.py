"""Claims judged against text, figure and rerun."""
