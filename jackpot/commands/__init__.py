"""What each command of ``jackpot`` reads and prints; what it does stands in the rooms below."""
