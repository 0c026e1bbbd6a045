"""THE AUDITOR: an independent checker of ledgers, and what auditors are handed."""
