"""What each kind of event does to the state, by subject; ``jackpot.table.evolve`` has them all."""
