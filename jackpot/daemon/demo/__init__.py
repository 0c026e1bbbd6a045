"""A table that plays by itself: simulated slots, dealt cards, an automatic croupier, real everything else."""
