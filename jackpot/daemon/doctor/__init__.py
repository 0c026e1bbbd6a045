"""``jackpot doctor``: everything that a technician would look at, in one look."""
