"""What a ledger says, within one line of a text that people or programs read line by line."""

from __future__ import annotations


def one_line(text: str) -> str:
    """The text with a blank for each line end and control character.

    A forged ledger could else write lines of its own: a verdict into a report, a transaction into a
    journal, a command into the recipe of an evidence pack.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " for letter in text)
