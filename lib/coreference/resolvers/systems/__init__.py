"""Systems of the shared task on GAP, rerun on frozen states of one encoder: a module for each paper."""
