"""What ``jackpot replay`` prints for people: the comparison, or a what-if and its differences."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from jackpot.audit.field_words import fields_text
from jackpot.audit.finding_text import pool_text
from jackpot.audit.replay import Difference, Result
from jackpot.audit.what_if import Paid, WhatIfResult
from jackpot.audit.words import DIFFERENCES, HANDS, KINDS
from jackpot.law.words import Language, Text, cents_text, microcents_text
from jackpot.money import euros_text
from jackpot.money import microcents_text as plain_microcents_text

SHOWN_DIFFERENCES = 20
"""As many lines as a terminal shows at once; ``--json`` has them all."""

_REPLAYED = Text(
    (
        "repetido    {batches} lotes, {events} sucesos, {hands} jugadas",
        "replayed   {batches} batches, {events} events, {hands} hands",
    )
)
_POOLS = Text(("fondos      {pools}", "pools      {pools}"))
_DIFFERENCE = Text(
    (
        "DIFERENCIA  lote {batch}, seq {seq}, jugada {hand}: {what}: las reglas deciden {decided}; "
        "registrado {recorded}",
        "DIFFERENCE batch {batch}, seq {seq}, hand {hand}: {what}: the rules decide {decided}; "
        "recorded {recorded}",
    )
)
_MORE = Text(("… y {more} más", "… and {more} more"))
_COUNT = Text(
    (
        "diferencias: {count}, la primera en el lote {batch}, seq {seq}",
        "{count} differences, the first in batch {batch}, seq {seq}",
    )
)
_EQUAL = Text(
    (
        "igual: cada resultado es el que deciden las reglas",
        "equal: every outcome is what the rules decide",
    )
)
_WHAT_IF = Text(
    (
        "SUPUESTO    {changed}: nada de esto ocurrió",
        "WHAT IF    {changed}: no record of anything that happened",
    )
)
_TRIED = Text(
    ("repetido    {batches} lotes, {hands} jugadas", "replayed   {batches} batches, {hands} hands")
)
_HAND = Text(("jugada {hand} (lote {batch})", "hand {hand} (batch {batch})"))
_RECORDED = Text(("  registrado  {paid}", "  recorded {paid}"))
_OTHERWISE = Text(("  supuesto    {paid}", "  what if  {paid}"))
_LEFT_OUT = Text(
    (
        "omitido     lote {batch}, seq {seq}: {fact}: {why}",
        "left out   batch {batch}, seq {seq}: {fact}: {why}",
    )
)
_BOTH = Text(
    ("{name:12}registrado {recorded}, supuesto {tried}", "{name:10} recorded {recorded}, what if {tried}")
)  # fmt: skip
_PAID = Text(("pagado", "paid"))
_END_OF_ONE = Text(
    ("SUPUESTO    otro pago en 1 jugada", "WHAT IF    1 hand would have been paid otherwise")
)
_END = Text(
    (
        "SUPUESTO    otros pagos en {count} jugadas",
        "WHAT IF    {count} hands would have been paid otherwise",
    )
)
_PHRASES: Mapping[str, str] = {
    "nothing": "nada",
    "nothing more": "nada más",
    "the end of the batch": "el final del lote",
    "conservation": "que todo cuadre",
    "a micro-cent unaccounted for": "un microcéntimo sin explicar",
}
"""What the replay says where there is no event, in Spanish."""

_BOX, _NOTHING = Text(("casilla", "box")), Text(("nada", "nothing"))


def result_text(result: Result, language: Language) -> str:
    """What the comparison came to."""
    return "\n".join(_result_lines(result, language))


def _result_lines(result: Result, language: Language) -> Iterator[str]:
    yield _REPLAYED.text(language).format(
        batches=result.batches, events=result.events, hands=result.hands
    )
    held = (
        f"{_pool(name, language)} {_microcents(amount, language)}"
        for name, amount in result.pools_microcents.items()
    )
    yield _POOLS.text(language).format(pools=", ".join(held))
    for difference in result.differences[:SHOWN_DIFFERENCES]:
        yield _difference(difference, language)
    count = len(result.differences) + result.more_differences
    if count > SHOWN_DIFFERENCES:
        yield _MORE.text(language).format(more=count - SHOWN_DIFFERENCES)
    if count:
        first = result.differences[0]
        yield _COUNT.text(language).format(count=count, batch=first.batch, seq=first.seq)
    else:
        yield _EQUAL.text(language)


def _difference(difference: Difference, language: Language) -> str:
    return _DIFFERENCE.text(language).format(
        batch=difference.batch,
        seq=difference.seq,
        hand=difference.hand,
        what=_named(DIFFERENCES, difference.what, language),
        decided=_event(difference.decided, language),
        recorded=_event(difference.recorded, language),
    )


def _event(text: str, language: Language) -> str:
    """``contributed {…}``: Spanish in words, with each field named; English as it is stored."""
    if language is not Language.ES:
        return text
    if text in _PHRASES:
        return _PHRASES[text]
    if text.startswith("{"):
        pools: dict[str, int] = ast.literal_eval(text)
        return ", ".join(
            f"{pool_text(pool)} {microcents_text(held, language)}" for pool, held in pools.items()
        )
    if text.startswith("nothing ("):
        return f"nada {text.removeprefix('nothing ')}"
    kind, space, fields = text.partition(" ")
    said = ", ".join(_fields(fields)) if kind in KINDS and fields.startswith("{") else fields
    return f"{_named(KINDS, kind, language)}{space}{said or fields}"


def _fields(fields: str) -> Iterator[str]:
    """Box and amounts, which are columns of an event; then its other fields as in a report."""
    info = msgspec.json.decode(fields)
    if (box := info.pop("box", None)) is not None:
        yield f"{_BOX.text(Language.ES)} {box}"
    if (cents := info.pop("cents", None)) is not None:
        yield cents_text(cents, Language.ES)
    if (microcents := info.pop("microcents", None)) is not None:
        yield microcents_text(microcents, Language.ES)
    yield from fields_text(info, Language.ES)


def what_if_text(result: WhatIfResult, changed: Sequence[str], language: Language) -> str:
    """What would have been otherwise; marked in its first and its last line."""
    return "\n".join(_what_if_lines(result, changed, language))


def _what_if_lines(
    result: WhatIfResult, changed: Sequence[str], language: Language
) -> Iterator[str]:
    yield _WHAT_IF.text(language).format(changed=", ".join(changed))
    yield _TRIED.text(language).format(batches=result.batches, hands=result.hands)
    for award in result.awards:
        yield _HAND.text(language).format(hand=award.hand, batch=award.batch)
        yield _RECORDED.text(language).format(paid=_payments(award.recorded, language))
        yield _OTHERWISE.text(language).format(paid=_payments(award.what_if, language))
    for fact in result.not_possible[:SHOWN_DIFFERENCES]:
        yield _LEFT_OUT.text(language).format(
            batch=fact.batch, seq=fact.seq, fact=_event(fact.fact, language), why=fact.why
        )
    left_out = len(result.not_possible) + result.more_not_possible
    if left_out > SHOWN_DIFFERENCES:
        yield _MORE.text(language).format(more=left_out - SHOWN_DIFFERENCES)
    yield _BOTH.text(language).format(
        name=_PAID.text(language),
        recorded=_cents(result.recorded_paid_cents, language),
        tried=_cents(result.what_if_paid_cents, language),
    )
    recorded, other = result.recorded_pools_microcents, result.what_if_pools_microcents
    for pool in {**recorded, **other}:
        yield _BOTH.text(language).format(
            name=f"{_pool(pool, language)} " if language is Language.ES else pool,
            recorded=_held(recorded, pool, language),
            tried=_held(other, pool, language),
        )
    count = len(result.awards)
    yield (_END_OF_ONE if count == 1 else _END).text(language).format(count=count)


def _held(pools_microcents: dict[str, int], pool: str, language: Language) -> str:
    """What a pool holds; a layout has its pools from its first jackpot on."""
    held = pools_microcents.get(pool)
    return "–" if held is None else _microcents(held, language)


def _payments(payments: tuple[Paid, ...], language: Language) -> str:
    texts = (
        f"{_BOX.text(language)} {box}: {_named(HANDS, hand, language)} {_cents(cents, language)}"
        for box, _, hand, cents in payments
    )
    return "; ".join(texts) or _NOTHING.text(language)


# ---- Spanish in words; English in the stable names of the JSON, its amounts with every decimal -------


def _named(words: Mapping[str, Text], name: str, language: Language) -> str:
    known = language is Language.ES and name in words
    return f"«{words[name].text(language)}»" if known else name


def _pool(name: str, language: Language) -> str:
    return pool_text(name) if language is Language.ES else name


def _cents(cents: int, language: Language) -> str:
    return cents_text(cents, language) if language is Language.ES else f"{euros_text(cents)} €"


def _microcents(microcents: int, language: Language) -> str:
    if language is Language.ES:
        return microcents_text(microcents, language)
    return f"{plain_microcents_text(microcents)} €"
