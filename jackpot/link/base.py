"""What an award is based on and who bears it (CAN-9): bases, allocation, decision. Pure."""
