"""Two machines and one memory, as programs: the same deeds done to plain git and to soulsync, and looked at alike."""
