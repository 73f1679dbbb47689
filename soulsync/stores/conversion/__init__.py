"""Converting memories between formats on disk: reading a source, planning, writing what is new."""
