"""The recorded grids and sweeps of data/grids: many runs, gathered into one table each."""
