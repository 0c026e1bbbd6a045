"""What a technician's commands do at the wire, and the daemon's side of them."""
