"""What leaves the house: the journal, tables, a snapshot with queries, evidence, the report."""
