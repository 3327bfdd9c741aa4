"""What is shared of the systems of the shared task on GAP, which are in studies.resolvers."""
