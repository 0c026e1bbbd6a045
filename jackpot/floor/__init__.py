"""A whole floor simulated from one seed: tables, coordinators, network and disks that fail."""
