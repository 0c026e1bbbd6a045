"""What a coordinator shows: its page for the staff, and the carrusel's visor for a big screen."""
