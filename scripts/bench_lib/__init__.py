"""What `scripts/bench` measures, and how."""
