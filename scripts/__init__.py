"""Scripts that made the files under data/models; imported by nothing else."""
