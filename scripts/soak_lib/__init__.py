"""Long runs that try to lose a memory; `scripts/soak` starts them."""
