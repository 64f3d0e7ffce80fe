"""Charts of known truth drawn by other programs than matplotlib."""
