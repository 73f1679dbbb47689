"""(base, ours, theirs, what is known of the sides) to one merged file. Pure, standard library only."""
