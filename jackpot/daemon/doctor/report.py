"""One line of the doctor: how it is, what was expected, what was found, what to do."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class How(StrEnum):
    """A fault stops the table or will; a warning is worth a visit."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


class Line(msgspec.Struct, frozen=True):
    """One thing looked at; ``to_do`` is empty when all is well."""

    name: str
    how: How
    expected: str
    found: str
    to_do: str = ""

    def text(self) -> str:
        """For people."""
        if self.how is How.OK:
            return f"ok       {self.name}: {self.found}"
        return (
            f"{self.how.value:8} {self.name}: expected {self.expected}; found {self.found}; "
            f"{self.to_do}"
        )


def line(
    good: bool, name: str, expected: str, found: str, to_do: str, bad: How = How.FAULT
) -> Line:
    """OK when ``good``, else ``bad``."""
    if good:
        return Line(name, How.OK, expected, found)
    return Line(name, bad, expected, found, to_do)
