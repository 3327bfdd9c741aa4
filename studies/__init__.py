"""The code that one chapter alone needs, a package for each. A study imports lib, never another study."""
