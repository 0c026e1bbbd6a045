"""What lies beside the ledger and tells of its past: the newest checkpoint, and the mark of an older copy.

The checkpoint is a witness on the same box: it tells when the ledger alone was put back from an
older copy. Whoever puts the whole folder back is found by the witnesses that are kept elsewhere, and
by the acceptors' counters.
"""

from __future__ import annotations

from pathlib import Path

from jackpot.ledger.errors import LedgerUnreadable
from jackpot.ledger.files import make_private, sync_file, sync_folder
from jackpot.ledger.note import notes_in


def kept_witnesses(file: Path) -> tuple[str, ...]:
    """The checkpoint in ``file``, to be handed to ``Ledger.open``; none before the first one.

    Raises ``LedgerUnreadable`` when there is a file without one.
    """
    try:
        notes = tuple(notes_in(file.read_text(encoding="utf-8")))
        found = "none"
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        notes, found = (), str(error)
    if not notes:
        raise LedgerUnreadable(
            reason="witness_unreadable",
            expected=f"the newest signed checkpoint in {file}",
            found=found,
            to_do="put the file back from a backup; without one, check the ledger with "
            "`jackpot verify` and every checkpoint that others hold, then move the file away",
        )
    return notes


def keep_witness(file: Path, note: str) -> None:
    """Put ``note`` in the place of the last one; after a power cut either of them is there, whole."""
    _write(file, note)


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


def mark_older(file: Path) -> None:
    """An older ledger goes on: until its acceptors have a new base line, none may be believed to
    continue what it holds, for they have counted chips that were played in what is lost."""
    _write(file, "An older copy of the ledger was restored. The controller removes this file.\n")


def unmark_older(file: Path) -> None:
    """Every acceptor has a new base line."""
    file.unlink(missing_ok=True)
    sync_folder(file.parent)


def _write(file: Path, text: str) -> None:
    """All of it or what was there before, also after a power cut."""
    new = file.with_name(file.name + ".new")
    make_private(new)
    new.write_text(text, encoding="utf-8")
    sync_file(new)
    new.rename(file)
    sync_folder(file.parent)
