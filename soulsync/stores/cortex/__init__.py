"""``.agent/memory`` stores on disk: finding, reading, checking, writing and forgetting entries."""
