"""What a carrusel's log says, folded: members, meters, locked hands, claims, decisions."""
