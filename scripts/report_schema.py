"""Write replicate/report/schema.json, the layout of a report's JSON document, from the code."""

from __future__ import annotations

from replicate.files import write_json
from replicate.report.document import SCHEMA_FILE, schema

if __name__ == "__main__":
    print(write_json(SCHEMA_FILE, schema()))
