"""What is wrong in a carrusel and what it waits for, in the words of the pages, with the step to take.

The names are those of ``jackpot.table.carrusel_finding``; its English sentences are for records.
"""

from __future__ import annotations

from jackpot.console.language import gettext
from jackpot.console.marking import mark
from jackpot.law.words import Language
from jackpot.table.carrusel_finding import Finding, read_finding

FINDINGS: dict[str, str] = {
    "restored_copy": mark(
        "The carrusel holds operation %(log)s of this box, its ledger ends with %(ledger)s: the box was "
        "restored from an older copy. Table chief and director join the table again."
    ),
    "fewer_operations": mark(
        "The box tells of fewer operations than the log holds: it was restored from an older copy. Table "
        "chief and director join the table again."
    ),
    "later_incarnation": mark(
        "The carrusel knows membership %(log)s of this table, its ledger %(ledger)s: the box was "
        "restored from an older copy. Table chief and director join the table again."
    ),
    "other_operation": mark(
        "The log holds another operation %(number)s of this table: a restored box, or two boxes with "
        "one number. Look for a second box; then table chief and director join the table again."
    ),
    "broken_operation": mark(
        "Operation %(number)s of this table does not continue operation %(last)s: a restored box, or "
        "two boxes with one number. Look for a second box; then table chief and director join the table "
        "again."
    ),
    "two_decisions": mark(
        "The carrusel's log has two decisions %(decision)s: a coordinator goes on from an old copy. "
        "Start nothing anew; the technician compares the coordinators' logs."
    ),
    "wrong_decision": mark(
        "Decision %(decision)s of the carrusel does not add up here (%(why)s). Nothing is paid on it: "
        "call the technician."
    ),
    "log_is_old": mark(
        "Table %(table)s has applied decision %(applied)s, this log ends with %(log)s: an old copy, to "
        "which nothing is appended. Restore the newest copy of the log."
    ),
    "log_moved": mark(
        "This log goes on in another store. Start the coordinator with its new configuration."
    ),
    "not_admitted": mark(
        "The log does not know the key of coordinator %(coordinator)s, so it appends nothing. Two "
        "officers admit it on the page of another coordinator."
    ),
    "operations_unsigned": mark(
        "Operations came that the key of this table's ledger has not signed. They do not count: look at "
        "the broker's access list."
    ),
    "birth_unsigned": mark(
        "Somebody said to be this table and has not its key. It does not count: look at the broker's "
        "access list."
    ),
    "entry_not_believed": mark(
        "An entry of the carrusel is not believed here (%(why)s). Look which coordinators are at the "
        "broker, and which keys this table has pinned."
    ),
    "terms_of_another": mark(
        "The box has the configuration of table %(terms)s and goes by the number %(table)s. Correct the "
        "number, and join again."
    ),
    "one_officer": mark("A join needs two different officers. Join again."),
    "not_progressive": mark("Only progressive jackpots form one prize: this table cannot join."),
    "base_not_at_lock": mark(
        "Awards of this table are not computed on the amount at «no va más»: it cannot share a prize."
    ),
    "terms_differ": mark(
        "This table's terms are not those of the other tables (there, here: %(differences)s). Correct "
        "the configuration, and join again."
    ),
    "incarnation_used": mark(
        "Membership %(incarnation)s of this table was used by another state of its ledger; the last was "
        "%(last)s. Join again."
    ),
    "name_taken": mark(
        "Another box plays under this number. Stop that one here first, or give this table its own."
    ),
    "claim_refused": mark(
        "The claim on hand %(hand)s cannot be decided (%(why)s). Table chief and director take it back."
    ),
    "payload_too_long": mark(
        "A message that is too long came here (%(found)s). Look who writes to this topic."
    ),
    "payload_of_another_format": mark(
        "A message of another version came here (%(found)s). Bring boxes and coordinators to one "
        "version."
    ),
    "payload_malformed": mark(
        "Something came here that is no message (%(found)s). Look who writes to this topic."
    ),
    "payload_out_of_place": mark(
        "A message came here that has no business here (%(found)s). Look who writes to this topic."
    ),
    "said": "%(text)s",
}
"""Each finding by its name, and what to do about it."""

WAITS: dict[str, str] = {
    "broker": mark("It waits for the broker, which does not answer."),
    "coordinator": mark("It waits for a coordinator: none is heard."),
    "answer": mark("A coordinator is heard; it waits for its answer."),
    "hands": mark(
        "It waits until no hand at another table counts on this one; the coordinator's page names them."
    ),
    "hand": mark("table %(table)s, hand %(hand)s is locked"),
    "total": mark("table %(table)s has not shown a later total yet"),
    "silent": mark("table %(table)s is not heard: two officers may stop it here"),
}
"""What a join, a leave or a claim waits for."""


def finding_text(found: Finding | str, language: Language) -> str:
    """A finding, or the sentence that a record has of it."""
    known = read_finding(found) if isinstance(found, str) else found
    return gettext(language, FINDINGS[known.reason]) % known.values


def wait_text(name: str, language: Language, **values: object) -> str:
    """One of ``WAITS``."""
    return gettext(language, WAITS[name]) % values
