"""The record: an append-only ledger in SQLite that anyone can check and an auditor can replay."""
