"""THE DISPLAY, pure: a table's state -> what its players may see."""
