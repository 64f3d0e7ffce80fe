"""Line charts with known truth: `plan` says what a figure is, `draw` draws it, `case` keeps it."""
