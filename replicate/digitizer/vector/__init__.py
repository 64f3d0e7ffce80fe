"""Vector figures to curves: the drawn paths of a PDF or SVG, not their pixels."""
