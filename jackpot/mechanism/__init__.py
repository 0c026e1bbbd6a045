"""THE MECHANISM: what every kind of slot detection tells and is told (CAN-8.b2), whether it is a
ccTalk bus (``jackpot.cctalk``) or the slot board (``jackpot.board``)."""
