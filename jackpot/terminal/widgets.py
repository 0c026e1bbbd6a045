"""What a page's items look like in a terminal: keys, choices and cards that a number pad can work."""

from __future__ import annotations

from rich.text import Text
from textual.events import Key as KeyEvent
from textual.message import Message
from textual.widgets import Button, Input, Static

from jackpot.terminal.items import Answer, Cards, Choice, Key, Lamp, Option, Words

HAND_SIZE = 5
RANKS = dict(zip("0123456789/*,.jqka", "TA23456789JQKKJQKA", strict=True))
"""Keys to ranks, as on the console's page: ``0`` is the ten; ``1 / * ,`` are ace, jack, queen, king."""

SUITS = "shdc"
SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))


class Said(Static):
    """Words."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.text, markup=False, classes=words.style)


class LampCell(Static):
    """One box: number, sign, word."""

    def __init__(self, lamp: Lamp) -> None:
        text = f"{lamp.box} {lamp.sign}\n{lamp.word}"
        super().__init__(text, markup=False, classes=f"lamp {lamp.state}")


class KeyButton(Button):
    """A key with its shortcut printed before it."""

    def __init__(self, key: Key, label: str) -> None:
        self.key = key
        super().__init__(Text(label), classes="key main" if key.main else "key", compact=True)
        self.disabled = key.dead


class AnswerField(Input):
    """A field to type into; a PIN is not shown."""

    def __init__(self, answer: Answer, value: str) -> None:
        self.answer = answer
        super().__init__(
            value,
            password=answer.secret,
            max_length=answer.longest,
            compact=True,
            select_on_focus=False,
        )


class Picker(Static, can_focus=True):
    """A choice: a digit picks, arrows move."""

    class Picked(Message):
        """Somebody picked."""

    def __init__(self, choice: Choice, picked: str) -> None:
        self.choice = choice
        self.picked = picked
        super().__init__(classes="picker")

    def on_mount(self) -> None:
        self._draw()

    def pick(self, digit: str) -> bool:
        """Pick by the printed digit; whether there is such an option."""
        for option in self.choice.options:
            if option.pick == digit:
                self._set(option.value)
                return True
        return False

    def on_key(self, event: KeyEvent) -> None:
        step = {"left": -1, "up": -1, "right": 1, "down": 1, "space": 1}.get(event.key)
        values = [option.value for option in self.choice.options]
        if step is None or not values:
            return
        event.stop()
        here = values.index(self.picked) + step if self.picked in values else 0
        self._set(values[here % len(values)])

    def _set(self, value: str) -> None:
        self.picked = value
        self._draw()
        self.post_message(self.Picked())

    def _draw(self) -> None:
        text = Text(f"{self.choice.label}: ")
        for option in self.choice.options:
            picked = option.value == self.picked
            text.append(
                f" {'●' if picked else '○'} {_printed(option)} ", "reverse" if picked else ""
            )
            text.append(" ")
        self.update(text)


class CardEntry(Static, can_focus=True):
    """Five cards, each by rank and suit."""

    class Changed(Message):
        """A card more or less."""

    def __init__(self, cards: Cards, word: str) -> None:
        self.cards = cards
        self.word = word
        self.picked: list[str] = []
        self.rank = ""
        super().__init__(classes="picker")

    def on_mount(self) -> None:
        self._draw()

    @property
    def complete(self) -> bool:
        return len(self.picked) == HAND_SIZE

    def on_key(self, event: KeyEvent) -> None:
        letter = (event.character or "").lower()
        if event.key == "backspace":
            event.stop()
            self._take_back()
        elif not self.complete and self._typed(letter):
            event.stop()

    def _take_back(self) -> None:
        if self.rank:
            self.rank = ""
        elif self.picked:
            self.picked.pop()
            self.post_message(self.Changed())
        self._draw()

    def _typed(self, letter: str) -> bool:
        if not self.rank:
            self.rank = RANKS.get(letter, "")
            self._draw()
            return bool(self.rank)
        suits = dict(zip("1234", SUITS, strict=True)) | dict(
            zip(self.cards.suits, SUITS, strict=False)
        )
        if letter not in suits:
            return False
        card, self.rank = self.rank + suits[letter], ""
        if card not in self.picked and card not in self.cards.used:
            self.picked.append(card)
            self.post_message(self.Changed())
        self._draw()
        return True

    def _draw(self) -> None:
        shown = [f"{_rank(card[0])}{SIGNS[card[1]]}" for card in self.picked]
        if self.rank:
            shown.append(f"{_rank(self.rank)} …")
        self.update(Text(f"{len(self.picked)}/{HAND_SIZE} {self.word}:  {'  '.join(shown)}"))


def _printed(option: Option) -> str:
    """The digit that picks, once: ``5`` of «5 10,00 €», which the key repeats, and ``[2] j1``."""
    if not option.pick or option.label.split()[0] == option.pick:
        return option.pick or option.label
    return f"[{option.pick}] {option.label}"


def _rank(rank: str) -> str:
    return "10" if rank == "T" else rank
