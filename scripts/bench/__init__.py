"""What `make bench` runs: speed and memory as ratios against peers."""
