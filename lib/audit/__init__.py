"""The door of the audits: python -m lib.audit KIND …; their code is the package `audit`."""
