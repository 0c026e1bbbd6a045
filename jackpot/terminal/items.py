"""What a page is for a terminal: words, lamps, keys, fields, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

NO_FORM = -1
"""The ``form`` of what stands in no form."""


@dataclass(frozen=True)
class Form:
    """Where a form is posted, and its hidden fields: a name may come several times."""

    action: str
    hidden: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Words:
    """Something to read. ``style``: title, heading, lead, alert, line."""

    text: str
    style: str


@dataclass(frozen=True)
class Lamp:
    """One box: its number, the sign and the word of its lamp."""

    box: str
    sign: str
    word: str
    state: str


@dataclass(frozen=True)
class Lamps:
    """All boxes, in one row."""

    lamps: tuple[Lamp, ...]


@dataclass(frozen=True)
class Key:
    """A key to press: a link (``address``), or a button that posts its form.

    ``echo``: what the key repeats for each answer of the form's choice. ``hold``: kept pressed in a
    browser, pressed twice in a terminal. ``unchecked``: takes an unfinished form too.
    """

    label: str
    shortcut: str = ""
    form: int = NO_FORM
    address: str = ""
    answer: tuple[str, str] | None = None
    echo: tuple[tuple[str, str], ...] = ()
    hold: bool = False
    dead: bool = False
    main: bool = False
    unchecked: bool = False


@dataclass(frozen=True)
class Answer:
    """A field to type into. What is typed under the same ``keep`` outlives a newer page."""

    form: int
    name: str
    label: str
    value: str = ""
    secret: bool = False
    longest: int = 200
    required: bool = False
    keep: str = ""


@dataclass(frozen=True)
class Option:
    """One answer of a choice; ``pick`` is the digit that picks it."""

    value: str
    label: str
    pick: str


@dataclass(frozen=True)
class Choice:
    """Answers of which one is picked."""

    form: int
    name: str
    label: str
    options: tuple[Option, ...]
    picked: str = ""
    required: bool = False
    keep: str = ""


@dataclass(frozen=True)
class Cards:
    """The grid of 52 cards: five are entered by rank and suit. ``suits`` are the letters of the suits
    in the page's language; ``used`` cards stand in another hand already."""

    form: int
    label: str
    suits: tuple[str, ...]
    used: frozenset[str]


@dataclass(frozen=True)
class Preview:
    """What the law makes of the cards entered so far: asked for again after each of them."""

    items: tuple[Item, ...]


Item = Words | Lamps | Key | Answer | Choice | Cards | Preview


@dataclass(frozen=True)
class Page:
    """A page. ``live``: it follows the table by itself. ``offline`` is what to say when the controller
    is lost; only a page of somebody who is logged in has it. ``refusal``: why a key was refused."""

    title: str
    language: str
    live: bool
    phase: str
    offline: str
    refusal: str
    items: tuple[Item, ...]
    bar: tuple[Key, ...]
    forms: tuple[Form, ...]

    def all_keys(self) -> Iterator[Key]:
        """Every key of the page, the bar's last."""
        yield from (item for item in self.items if isinstance(item, Key))
        yield from self.bar
