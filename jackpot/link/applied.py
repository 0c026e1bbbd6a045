"""Entries of the log as the facts that a table records of them."""

from __future__ import annotations

from jackpot.link.entries import AwardDecided, AwardUndone
from jackpot.link.messages import Entry
from jackpot.table import facts as f


def decided_of(sealed: Entry, award: AwardDecided) -> f.CarruselDecided:
    """An award, as every member records it."""
    return f.CarruselDecided(
        carrusel=sealed.carrusel,
        decision=award.decision,
        position=sealed.position,
        table=award.table,
        hand=award.hand,
        view_position=award.view_position,
        base_microcents=award.base_microcents,
        paid_cents=award.paid_cents,
        restart=award.restart,
        shares=award.shares,
        payments=award.payments,
        derivation=award.derivation,
        author=sealed.author,
        entry_hash=sealed.hash,
        signature=sealed.signature,
    )


def undone_of(sealed: Entry, undone: AwardUndone) -> f.CarruselUndone:
    """An award taken back, as every member records it."""
    return f.CarruselUndone(
        carrusel=sealed.carrusel,
        decision=undone.decision,
        undoes=undone.undoes,
        position=sealed.position,
        table=undone.table,
        hand=undone.hand,
        paid_cents=undone.paid_cents,
        restart=undone.restart,
        shares=undone.shares,
        author=sealed.author,
        entry_hash=sealed.hash,
        signature=sealed.signature,
    )
