"""The tables of an export: names, columns, and what each means. The data dictionary is written from here.

A column whose name ends in ``_cents`` or ``_microcents`` is money in that unit, ``_utc`` a time in
UTC (ISO 8601), ``_ns`` nanoseconds since 1970.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Type = Literal["integer", "text", "boolean"]
Value = int | str | bool | None


class Column(NamedTuple):
    """One column."""

    name: str
    type: Type
    meaning: str


class Table(NamedTuple):
    """One table; ``rows`` says what one row is."""

    name: str
    rows: str
    columns: tuple[Column, ...]


def _int(name: str, meaning: str) -> Column:
    return Column(name, "integer", meaning)


def _text(name: str, meaning: str) -> Column:
    return Column(name, "text", meaning)


SEQ = _int("seq", "number of the event, the order of everything")
BATCH = _int("batch", "number of the batch: one outside cause")
AT = _text("at_utc", "what the clock of the box said")
HAND = _int("hand", "number of the hand, empty between hands")
BOX = _int("box", "box 1 to 7, empty where no box is meant")
_PLACE = (SEQ, BATCH, AT, HAND)

TABLES = (
    Table(
        "about",
        "a statement of the ledger about itself",
        (_text("key", "id, machine, origin, vkey (public key), created_at_ns"), _text("value", "")),
    ),
    Table(
        "batches",
        "an outside cause, hashed onto the one before it",
        (
            BATCH,
            _int("at_ns", "time in nanoseconds since 1970, UTC"),
            AT,
            HAND,
            _text("rules", "version of the rules that decided it"),
            _text("cause", "source#number, never twice"),
            _int("first_seq", "its first event"),
            _int("events", "how many events"),
            _text("hash", "SHA-256 in hex (docs/ledger.md)"),
        ),
    ),
    Table(
        "events",
        "an event as it stands in the ledger (docs/events.md)",
        (
            SEQ,
            BATCH,
            _text("kind", "name of the event"),
            BOX,
            _int("cents", "its amount in cents, if it has one"),
            _int("microcents", "its amount in micro-cents, if it has one"),
            _text("info", "all other fields as one JSON object"),
        ),
    ),
    Table(
        "checkpoints",
        "a signed note on the chain",
        (
            _int("batch", "how many batches it covers"),
            _int("at_ns", "when it was signed; not signed itself"),
            _text("note", "the note with its signature"),
        ),
    ),
    Table(
        "days",
        "a gaming day",
        (
            _text("day", "its date"),
            _text("opened_utc", "opening"),
            _text("opened_by", "officer id"),
            _text("opened_second", "second officer id"),
            _int("opening_cents", "amount on the visor, signed by both"),
            _text("closed_utc", "closing; empty while it runs"),
            _text("closed_by", "officer id"),
            _text("closed_second", "second officer id"),
            _int("closing_cents", "amount on the visor, signed by both"),
            _int("hands", "hands played to their end; voided ones are not counted"),
            _int("bets", "bets that were played"),
            _int("bets_cents", "their amount, voided ones taken off"),
            _int("paid_cents", "awards paid"),
        ),
    ),
    Table(
        "hands",
        "a hand",
        (
            HAND,
            _text("day", "its gaming day"),
            _text("started_utc", "betting opens"),
            _text("locked_utc", "«no va más» reached"),
            _text("ended_utc", "end; empty while it runs"),
            _int("bets", "its bets; those that were returned or carried on taken off"),
            _int("bets_cents", "their amount"),
            _int(
                "lock_meter_microcents",
                "what was shown at «no va más»: the meter, or a carrusel's prize",
            ),
            _int("paid_cents", "awards handed over"),
            _text("how", "no_awards, paid, voided"),
        ),
    ),
    Table(
        "bets",
        "a bet accepted, returned, or carried to the replayed hand",
        (
            *_PLACE,
            BOX,
            _text("what", "accepted, returned, carried"),
            _int("bet", "which bet of the box"),
            _int("cents", "its amount"),
            _text("source", "chip, asserted, held, carried (accepted ones)"),
        ),
    ),
    Table(
        "pools",
        "a movement of a pool",
        (
            *_PLACE,
            BOX,
            _text("kind", "the event that moved it"),
            _text("pool", "account of the pool, as in the journal (docs/journal.md)"),
            _int("microcents", "into it; below zero: out of it"),
            _int("after_microcents", "what it held then"),
        ),
    ),
    Table(
        "awards",
        "a decision on the awards of one hand",
        (
            *_PLACE,
            _int("award", "its sequence number"),
            _int("base_microcents", "what it was computed on"),
            _int("total_cents", "all its payments"),
            _int("deducted_microcents", "out of the meter"),
            _int("house_microcents", "the house's deduction before it"),
            Column("restart", "boolean", "the jackpot starts again"),
            Column("second_signature", "boolean", "the amount was above the threshold"),
            _text("declared_by", "officer id"),
            _text("confirmed_by", "officer id"),
        ),
    ),
    Table(
        "payments",
        "a decided payment to one bet",
        (
            *_PLACE,
            _int("award", "the award's sequence number"),
            BOX,
            _int("bet", "which bet of the box"),
            _text("combination", "royal_flush, straight_flush, four_of_a_kind"),
            _text("rule", "the rule that fixes its amount"),
            _int("cents", "its amount"),
            _text("cards", "as declared and confirmed"),
        ),
    ),
    Table(
        "handovers",
        "a payment handed over: «pagado»",
        (
            *_PLACE,
            BOX,
            _int("bet", "which bet of the box"),
            _int("cents", ""),
            _text("by", "officer id"),
        ),
    ),
    Table(
        "derivations",
        "a step of the computation of an award",
        (
            HAND,
            _int("award", "the award's sequence number"),
            _int("line", "its place, from 1"),
            _text("rule", "the rule behind it"),
            _text("spanish", "the step in words"),
            _text("english", "the step in words"),
        ),
    ),
    Table(
        "settlements",
        "what one member of a carrusel bears of a decision (CAN-9), or has back of an undone one",
        (
            *_PLACE,
            _int("decision", "its number in the carrusel"),
            _int("undoes", "the earlier decision that it takes back; empty for an award"),
            _text("won_by", "the table that won it and pays"),
            _int("won_in_hand", "its hand there"),
            _text("table", "the member"),
            _int("view_microcents", "its meter in the view of the hand"),
            _int("base_microcents", "its part of the base"),
            _int("deducted_microcents", "what it gives of that"),
            _int("house_microcents", "the house's deduction there"),
            _int("seed_microcents", "what its restart brings"),
            _int("from_seed_microcents", "what its restarted meter gives"),
        ),
    ),
    Table(
        "faults",
        "a fault, an alarm, a warning",
        (*_PLACE, BOX, _text("kind", "name of the event"), _text("info", "its fields as JSON")),
    ),
    Table(
        "corrections",
        "a signed entry: a voided hand, a correction, a move",
        (
            *_PLACE,
            _text("kind", "name of the event"),
            _text("by", "officer id"),
            _text("second", "second officer id"),
            _text("why", "the reason that was written down"),
            _int("cents", ""),
            _int("microcents", ""),
        ),
    ),
    Table(
        "officers",
        "an officer on a list of those who may act from then on",
        (
            SEQ,
            BATCH,
            AT,
            _text("officer", "id; who that is stands nowhere here"),
            _text("roles", ""),
        ),
    ),
    Table(
        "terms",
        "terms of the layout, in force or waiting",
        (SEQ, BATCH, AT, _text("kind", "terms_in_force, terms_pending"), _text("terms", "as JSON")),
    ),
)
"""Every table, in the order of the dictionary."""

COLUMNS = {table.name: tuple(column.name for column in table.columns) for table in TABLES}
"""The names of the columns of each table."""

FAULTS = frozenset(
    {
        "alarm_cleared",
        "alarm_raised",
        "chip_refused",
        "clock_stepped",
        "slot_down",
        "slot_event",
        "slot_events_lost",
        "slot_restarted",
        "table_resumed",
        "table_suspended",
    }
)
"""Kinds that go into ``faults``; ``controller_started`` after a crash does, too."""
