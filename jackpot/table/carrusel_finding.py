"""What is wrong with a table's end of the carrusel: a stable name and its values (CAN-9).

The English sentence is what records and messages bear (``why``); it is made from the table below and
read back by the same table, so that pages can say it in their own language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import msgspec

SAID = "said"
"""Words of a person, or of a version that knew other sentences: they stand for themselves."""

SENTENCES: Mapping[str, str] = {
    # what the log and a ledger say of each other
    "restored_copy": "the log holds operation {log} of this box, its ledger ends with {ledger}:"
    " it was restored from an older copy",
    "fewer_operations": "fewer operations than the log holds: restored from an older copy, to be"
    " joined anew",
    "later_incarnation": "the carrusel knows incarnation {log} of this table, its ledger {ledger}:"
    " it was restored from an older copy",
    "other_operation": "another operation {number} than the log holds",
    "broken_operation": "operation {number} does not continue operation {last}",
    "two_decisions": "the carrusel's log has two decisions {decision}",
    "wrong_decision": "decision {decision} of the carrusel: {why}",
    "log_is_old": "table {table} has applied decision {applied}, this log ends with {log}: an old"
    " copy, nothing is appended to it",
    "log_moved": "this log goes on in another store: nothing is appended to it",
    "not_admitted": "the log does not name the key of coordinator {coordinator}: it appends nothing",
    # what nobody signed
    "operations_unsigned": "operations that its ledger's key did not sign",
    "birth_unsigned": "a birth that its own key did not sign",
    "entry_not_believed": "an entry of the carrusel is not believed: {why}",
    # why a table does not join
    "terms_of_another": "the terms are those of table {terms}, not of {table}",
    "one_officer": "a join needs two officers",
    "not_progressive": "only progressive jackpots add up",
    "base_not_at_lock": "base_of_hand must be at_lock: the view is what the visors showed then",
    "terms_differ": "other terms than the members': {differences}",
    "incarnation_used": "incarnation {incarnation} of this table was used before, by another state of"
    " its ledger, the last was {last}: ask to join again",
    "name_taken": "another box plays under this name: stop it first, or give this table a name of its"
    " own",
    # the rest
    "claim_refused": "the claim on hand {hand} cannot be: {why}",
    "payload_too_long": "a payload that is too long: {found}",
    "payload_of_another_format": "a payload of another version: {found}",
    "payload_malformed": "a payload that is no message: {found}",
    "payload_out_of_place": "a message that has no business there: {found}",
    SAID: "{text}",
}
"""Every sentence by its name. One that was ever recorded stays as it is."""

_VALUE = re.compile(r"\{(\w+)\}")


class Finding(msgspec.Struct, frozen=True):
    """One of ``SENTENCES`` and what stands in its places."""

    reason: str
    values: dict[str, str] = {}

    def text(self) -> str:
        """One line in English, for records and logs of events."""
        return SENTENCES[self.reason].format_map(self.values)


def finding(reason: str, **values: int | str) -> Finding:
    """A finding by its name, with each of its values."""
    return Finding(reason, {name: str(value) for name, value in values.items()})


def read_finding(text: str) -> Finding:
    """The finding that a recorded sentence tells of."""
    for reason, pattern in _patterns().items():
        match = pattern.fullmatch(text)
        if match is not None:
            return Finding(reason, match.groupdict())
    return Finding(SAID, {"text": text})


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {reason: _pattern(sentence) for reason, sentence in SENTENCES.items() if reason != SAID}


def _pattern(sentence: str) -> re.Pattern[str]:
    """The sentence with any value in each of its places."""
    parts = _VALUE.split(sentence)  # by turns what stands there, and the name of a value
    read = [f"(?P<{one}>.+)" if at % 2 else re.escape(one) for at, one in enumerate(parts)]
    return re.compile("".join(read), re.DOTALL)
