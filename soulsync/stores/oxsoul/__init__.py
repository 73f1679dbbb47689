"""An OxSoul store on disk: its places, reading, writing, importing, trash and access log (SOULSPEC v0)."""
