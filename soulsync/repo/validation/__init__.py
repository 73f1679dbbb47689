"""Checking what lies in a soul against soul-repo v4: it reports, it changes nothing and refuses nothing."""
