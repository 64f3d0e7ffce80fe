"""Findings to a page that convinces and a document that a machine can check."""

from replicate.report.write import ReportResult, write_reports

__all__ = ["ReportResult", "write_reports"]
