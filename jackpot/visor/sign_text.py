"""What a text sign shows: a few pages of plain lines, a pure function of the visor's state.

Shared by every kind of sign. The rules it keeps:

* not sure means not shown: without an amount there are dashes, whatever else is known;
* an amount is shown whole or not at all; only words are ever cut;
* the odometer is finished: a sign shows the value itself, so never more than is owed;
* capitals without accents and ``EUR``: every sign has these, few have ``€`` or ``Ú`` in one place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import msgspec

from jackpot.law.terms import AwardedHand
from jackpot.law.words import Language, Text, cents_text
from jackpot.visor.state import NOTHING_KNOWN, Hit, VisorState

Page = tuple[str, ...]
"""One line for each row of the sign, each as long as the sign is wide."""

DASHES = "- - - - -"
"""Instead of an amount that nobody vouches for."""

FEWEST_COLUMNS = len(DASHES)
MOST_COLUMNS = 40
MOST_ROWS = 2
"""A caption and its value; a sign of one row shows them in turn."""

SAFE = frozenset(" ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-")
"""The same glyph in ASCII, in every national set of a CD5220 and in every Alpha sign."""

JACKPOT = Text(("JACKPOT MESA {table}", "JACKPOT TABLE {table}"))
JACKPOT_CARRUSEL = Text(("JACKPOT CARRUSEL", "JACKPOT CARRUSEL"))
PENDING = Text(("PENDIENTE", "PENDING"))
UNLINKED = Text(("SIN ENLACE", "NO LINK"))
LAST_HANDS = Text(("ULTIMAS JUGADAS: {left}", "LAST HANDS: {left}"))
LAST_HANDS_SHORT = Text(("ULTIMAS: {left}", "LAST: {left}"))
LAST_HAND = Text(("ULTIMA JUGADA", "LAST HAND"))
CLOSING = Text(("CIERRE DE MESA", "TABLE CLOSING"))
CLOSED = Text(("MESA CERRADA", "TABLE CLOSED"))
BOX = Text(("CASILLA {box}", "BOX {box}"))
HANDS = {
    AwardedHand.ROYAL_FLUSH: Text(("ESCALERA REAL", "ROYAL FLUSH")),
    AwardedHand.STRAIGHT_FLUSH: Text(("ESC. COLOR", "STR. FLUSH")),
    AwardedHand.FOUR_OF_A_KIND: Text(("POKER", "FOUR OF A KIND")),
}


class Shape(msgspec.Struct, frozen=True):
    """How much a sign can show, and in which language."""

    rows: int
    columns: int
    language: Language


class _Screen(msgspec.Struct, frozen=True):
    """A caption and a value, each in every length that it has, longest first.

    ``aside`` marks a caption that a sign of one row may leave out.
    """

    captions: Sequence[str]
    values: Sequence[str]
    aside: bool = False


def sign_pages(visor: VisorState, shape: Shape) -> tuple[Page, ...]:
    """Everything that the sign shows in this state, at least one page; several are shown in turn."""
    if visor.amount_cents is None:
        return (_page(shape, UNLINKED.text(shape.language) if visor.unlinked else "", DASHES),)
    screens = [_hit(hit, shape.language) for hit in visor.hits]
    screens.append(_amount(visor, visor.amount_cents, shape.language))
    return tuple(page for screen in screens for page in _pages(screen, shape))


def dashes(shape: Shape) -> tuple[Page, ...]:
    """The pages of a sign that nobody vouches for."""
    return sign_pages(NOTHING_KNOWN, shape)


def plain(text: str) -> str:
    """Capitals, digits and a few marks: accents are taken off, anything else becomes a space."""
    bare = unicodedata.normalize("NFKD", text.upper())
    kept = (sign for sign in bare if not unicodedata.combining(sign))
    return "".join(sign if sign in SAFE else " " for sign in kept)


def amount_texts(cents: int, language: Language) -> tuple[str, ...]:
    """An amount in whole, longest writing first: ``12.345,67 EUR``, ``12.345,67``, ``12345,67``."""
    long = cents_text(cents, language).replace("€", "EUR")
    bare = long.removesuffix(" EUR")
    point = bare[-3]
    return long, bare, f"{cents // 100}{point}{cents % 100:02d}"


def _amount(visor: VisorState, amount_cents: int, language: Language) -> _Screen:
    values = amount_texts(amount_cents, language)
    captions = _captions(visor, language)
    if captions:
        return _Screen(captions, values)
    name = JACKPOT_CARRUSEL if visor.carrusel else JACKPOT
    return _Screen((name.text(language).format(table=visor.table), "JACKPOT"), values, aside=True)


def _captions(visor: VisorState, language: Language) -> tuple[str, ...]:
    """What is more important than the table's number; nothing most of the time."""
    if visor.pending:
        return (PENDING.text(language),)
    if visor.unlinked:
        return (UNLINKED.text(language),)
    left = visor.hands_left
    if visor.closed:
        return (CLOSED.text(language),)
    if left is None:
        return ()
    if left == 0:
        return (CLOSING.text(language),)
    if left == 1:
        return (LAST_HAND.text(language),)
    return tuple(text.text(language).format(left=left) for text in (LAST_HANDS, LAST_HANDS_SHORT))


def _hit(hit: Hit, language: Language) -> _Screen:
    box, hand = BOX.text(language).format(box=hit.box), HANDS[hit.hand].text(language)
    return _Screen((f"{box} {hand}", box), amount_texts(hit.cents, language))


def _pages(screen: _Screen, shape: Shape) -> list[Page]:
    """One page with both lines, or on a sign of one row one page each."""
    caption = _fitting(screen.captions, shape.columns, screen.captions[-1])
    value = _fitting(screen.values, shape.columns, DASHES)
    if shape.rows > 1:
        return [_page(shape, caption, value)]
    pages = [] if screen.aside else [_page(shape, "", caption)]
    return [*pages, _page(shape, "", value)]


def _fitting(texts: Sequence[str], columns: int, otherwise: str) -> str:
    return next((text for text in texts if len(text) <= columns), otherwise)


def _page(shape: Shape, caption: str, value: str) -> Page:
    lines = (caption, value)[-shape.rows :]
    return tuple(plain(line)[: shape.columns].center(shape.columns) for line in lines)
