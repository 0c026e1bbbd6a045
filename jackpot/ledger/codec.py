"""Events to rows and back. Built once per class, because replay reads hundreds of thousands a second.

A field that the event's ``columns`` names has a column of its own; the others, in the order of
their declaration and with their defaults, are one JSON object in ``info`` (NULL when there are
none). Dictionaries and sets are written sorted: the same event always gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, get_type_hints

import msgspec

from jackpot.invariant import InvariantBroken, invariant
from jackpot.ledger.errors import LedgerUnreadable
from jackpot.table.event import Event


class EventColumns(NamedTuple):
    """The part of a row that is the event itself."""

    kind: str
    box: int | None
    cents: int | None
    microcents: int | None
    info: str | None


_Pack = Callable[[Event], EventColumns]
_Unpack = Callable[[int | None, int | None, int | None, str | None], Event]

KEPT_EVENTS = 1024
"""Two rows of three repeat an earlier one (a chip in box 3); this holds all usual ones, in some
hundred KiB, and makes reading twice as fast."""

_json = msgspec.json.Encoder(order="deterministic")


def _nothing(_event: Event) -> None:
    return None


def _written_type(cls: type[Event], names: tuple[str, ...]) -> type[msgspec.Struct]:
    """What is written: every field, by position."""
    hints = get_type_hints(cls)
    return msgspec.defstruct(f"{cls.__name__}Info", [(name, hints[name]) for name in names])


def _read_type(cls: type[Event], names: tuple[str, ...]) -> type[msgspec.Struct]:
    """What is read: a field that an older release did not have takes its default."""
    fields = tuple(field for field in msgspec.structs.fields(cls) if field.name in names)
    hints = get_type_hints(cls)
    return msgspec.defstruct(
        f"{cls.__name__}Read",
        [
            (f.name, hints[f.name], f.default)
            if f.default_factory is msgspec.NODEFAULT
            else (f.name, hints[f.name], msgspec.field(default_factory=f.default_factory))
            for f in fields
        ],
        kw_only=True,
        forbid_unknown_fields=True,
    )


def _info_names(cls: type[Event]) -> tuple[str, ...]:
    return tuple(name for name in cls.__struct_fields__ if name not in cls.columns)


@cache
def _packer(cls: type[Event]) -> _Pack:
    kind, names = cls.kind, _info_names(cls)
    box, cents, microcents = (attrgetter(name) if name else _nothing for name in cls.columns)
    if not names:
        return lambda event: EventColumns(kind, box(event), cents(event), microcents(event), None)
    info_type, get, encode = _written_type(cls, names), attrgetter(*names), _json.encode
    one = len(names) == 1

    def pack(event: Event) -> EventColumns:
        values = get(event)
        info = info_type(values) if one else info_type(*values)
        return EventColumns(
            kind, box(event), cents(event), microcents(event), encode(info).decode()
        )

    return pack


@cache
def _unpacker(cls: type[Event]) -> _Unpack:
    names = _info_names(cls)
    columns = tuple((name, index) for index, name in enumerate(cls.columns) if name)
    if names and not columns:
        whole = msgspec.json.Decoder(cls).decode  # all of it stands in ``info``: three times faster
        return lambda _box, _cents, _microcents, info: whole("{}" if info is None else info)
    decode = msgspec.json.Decoder(_read_type(cls, names)).decode if names else None
    as_dict = msgspec.structs.asdict

    def unpack(
        box: int | None, cents: int | None, microcents: int | None, info: str | None
    ) -> Event:
        amounts = (box, cents, microcents)
        fields: dict[str, Any] = as_dict(decode(info)) if decode and info is not None else {}
        for name, index in columns:
            fields[name] = amounts[index]
        return cls(**fields)

    return unpack


class Codec:
    """The events of one registry, to and from the columns ``kind`` … ``info``."""

    def __init__(self, events: Mapping[str, type[Event]]) -> None:
        for kind, cls in events.items():
            invariant(kind == cls.kind, f"{cls.__name__} is registered as {cls.kind}")
        self._packers = {cls: _packer(cls) for cls in events.values()}
        self._unpackers = {kind: _unpacker(cls) for kind, cls in events.items()}
        self.unpack = lru_cache(KEPT_EVENTS)(self._unpack)
        """The event of a row's ``kind`` … ``info``. Raises ``LedgerUnreadable`` for an unknown
        kind or other fields. Equal rows may give the same (immutable) event."""

    def pack(self, event: Event) -> EventColumns:
        """The columns of ``event``; an event of no registered class is our own fault."""
        packer = self._packers.get(type(event))
        if packer is None:
            raise InvariantBroken(f"{type(event).__name__} is an event of this ledger")
        return packer(event)

    def _unpack(
        self,
        kind: str,
        box: int | None,
        cents: int | None,
        microcents: int | None,
        info: str | None,
    ) -> Event:
        unpacker = self._unpackers.get(kind)
        try:
            if unpacker is None:
                raise ValueError("this kind is unknown")
            return unpacker(box, cents, microcents, info)
        except (ValueError, TypeError, RecursionError, msgspec.MsgspecError) as error:
            raise LedgerUnreadable(
                reason="unknown_event",
                expected="an event that this version knows, with its own fields",
                found=f"{kind}: {error}",
                to_do="`jackpot verify` names the row; if nobody changed it, use the version that wrote it",
            ) from error
