"""The console in a terminal: the pages of a running table, drawn with letters."""
