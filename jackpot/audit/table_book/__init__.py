"""The table book (CAN-8.7) and the payment slips: what a casino prints, signs and files."""
