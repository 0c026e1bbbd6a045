"""THE SCREENS: visor page and consoles. They read, and act only through the facts of a table."""
