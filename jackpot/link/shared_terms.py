"""What must be the same at every member of a carrusel, and what must not be there at all."""
