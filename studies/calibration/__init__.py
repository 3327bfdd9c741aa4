"""Which measures may be trusted with what: text with a planted truth, and simulations of every kind of interval."""
