"""A decision of a carrusel in lines: what each member showed, bears and gives (CAN-9)."""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.law.words import Text, microcents_text
from jackpot.table.facts import CarruselDecided, CarruselShare

HEADING = Text(
    (
        "Decisión {decision} del carrusel {carrusel}, en la posición {position} de su registro; la vista "
        "de la jugada, en la {view}",
        "Decision {decision} of carrusel {carrusel}, at position {position} of its log; the hand's "
        "view, at {view}",
    )
)
_MEMBER = Text(
    (
        "Mesa {table}: mostraba {view}; entra en la base {base}; aporta {deducted}",
        "Table {table}: showed {view}; part of the base {base}; gives {deducted}",
    )
)
_HOUSE = Text(("; deducción de la casa {house}", "; the house's deduction {house}"))
_SEED = Text(("; vuelve a empezar con {seed}", "; restarts at {seed}"))
_FROM_SEED = Text(("; de ello aporta {from_seed}", "; gives {from_seed} of that"))


def heading(decision: CarruselDecided, language: str) -> str:
    """Which decision it is."""
    return HEADING.text(language).format(
        decision=decision.decision,
        carrusel=decision.carrusel,
        position=decision.position,
        view=decision.view_position,
    )


def share_lines(decision: CarruselDecided, language: str) -> Iterator[str]:
    """One line for each member of the view."""
    for share in decision.shares:
        yield _share(share, language)


def _share(share: CarruselShare, language: str) -> str:
    def amount(microcents: int) -> str:
        return microcents_text(microcents, language)

    text = _MEMBER.text(language).format(
        table=share.table,
        view=amount(share.view_microcents),
        base=amount(share.base_microcents),
        deducted=amount(share.deducted_microcents),
    )
    if share.house_microcents:
        text += _HOUSE.text(language).format(house=amount(share.house_microcents))
    if share.seed_microcents:
        text += _SEED.text(language).format(seed=amount(share.seed_microcents))
    if share.from_seed_microcents:
        text += _FROM_SEED.text(language).format(from_seed=amount(share.from_seed_microcents))
    return text
