"""The runner: chapters as pure functions of notebook, parameters and library."""

import sys

# nbformat loads jsonschema, and that, where it is there, a grammar of web addresses which takes a second
# to build and which no notebook needs.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
