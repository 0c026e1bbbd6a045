"""The audit room: a read-only local site over a ledger. It reads, and nothing in it can write."""
