"""The runner: chapters as pure functions of notebook, parameters and library."""
