"""The newest checkpoint, kept in a file of its own beside the ledger: a witness on the same box.

It tells when the ledger alone was put back from an older copy. Whoever puts the whole folder back is
found by the witnesses that are kept elsewhere, and by the acceptors' counters.
"""

from __future__ import annotations

from pathlib import Path

from jackpot.ledger.files import sync_file, sync_folder


def kept_witnesses(file: Path) -> tuple[str, ...]:
    """The checkpoint in ``file``, to be handed to ``Ledger.open``; none before the first one."""
    return (file.read_text(encoding="utf-8"),) if file.exists() else ()


def keep_witness(file: Path, note: str) -> None:
    """Put ``note`` in the place of the last one; after a power cut either of them is there, whole."""
    new = file.with_name(file.name + ".new")
    new.write_text(note, encoding="utf-8")
    sync_file(new)
    new.rename(file)
    sync_folder(file.parent)


def set_witness_aside(file: Path) -> Path | None:
    """An older ledger is meant to go on: keep the witness of what is lost under another name."""
    if not file.exists():
        return None
    number = 1
    while (aside := file.with_name(f"{file.name}.superseded-{number}")).exists():
        number += 1
    file.rename(aside)
    sync_folder(file.parent)
    return aside
