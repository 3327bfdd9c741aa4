"""A package of lib whose modules only the tests of the runner use."""
