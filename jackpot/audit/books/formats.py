"""What the commands of the books can write; apart, so that the command line stays quick."""

from __future__ import annotations

from enum import StrEnum


class ExportFormat(StrEnum):
    """What the files are."""

    CSV = "csv"
    JSONL = "jsonl"
    XLSX = "xlsx"
    PARQUET = "parquet"


class JournalFormat(StrEnum):
    """The programs that read the journal."""

    HLEDGER = "hledger"
    LEDGER = "ledger"
    BEANCOUNT = "beancount"


class ReportFormat(StrEnum):
    """What a report is."""

    PDF = "pdf"
