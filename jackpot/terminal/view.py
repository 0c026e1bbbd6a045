"""A page as it stands on the screen, and what has been typed into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Label

from jackpot.terminal.items import (
    NO_FORM,
    Answer,
    Cards,
    Choice,
    Item,
    Key,
    Lamps,
    Page,
    Preview,
    Words,
)
from jackpot.terminal.widgets import AnswerField, CardEntry, KeyButton, LampCell, Picker, Said
from jackpot.terminal.words import Sentences

PRINTED = {"Enter": "↵", "Escape": "Esc"}
"""How a shortcut is printed, where not by its own name."""

Pairs = list[tuple[str, str]]


class PageView(VerticalScroll, can_focus=False):
    """Draws one page after the other; what was typed outlives a newer page of the same question."""

    words: Sentences

    async def draw(self, page: Page, words: Sentences) -> None:
        """Everything anew."""
        self.words = words
        kept = dict(self._typed())
        await self.remove_children()
        await self.mount_all([w for item in page.items for w in self._widgets(item, kept)])

    async def draw_preview(self, items: tuple[Item, ...]) -> None:
        """What the law makes of the cards; its main key is ready once there are five."""
        place = self.query_one("#preview")
        await place.remove_children()
        await place.mount_all([w for item in items for w in self._widgets(item, {})])
        entry = self.cards
        for button in place.query(KeyButton):
            if button.key.main and entry is not None and entry.complete:
                button.focus()

    def _typed(self) -> Iterator[tuple[tuple[str, str], str]]:
        for field in self.query(AnswerField):
            yield (field.answer.keep, field.answer.name), field.value
        for picker in self.query(Picker):
            yield (picker.choice.keep, picker.choice.name), picker.picked

    def _widgets(self, item: Item, kept: dict[tuple[str, str], str]) -> list[Widget]:
        match item:
            case Words():
                return [Said(item)]
            case Lamps():
                return [Horizontal(*(LampCell(lamp) for lamp in item.lamps), classes="lamps")]
            case Key():
                return [KeyButton(item, self.label(item))]
            case Answer():
                old = kept.get((item.keep, item.name), "") if item.keep else ""
                return [Label(item.label), AnswerField(item, old or item.value)]
            case Choice():
                old = kept.get((item.keep, item.name), "") if item.keep else ""
                return [Picker(item, old or item.picked)]
            case Cards():
                return [Label(item.label), CardEntry(item, self.words.cards)]
            case Preview():
                inside = [w for part in item.items for w in self._widgets(part, kept)]
                return [Vertical(*inside, id="preview")]

    # ---- keys ------------------------------------------------------------------------------------

    @property
    def buttons(self) -> Iterator[KeyButton]:
        """The page's keys, top down."""
        yield from self.query(KeyButton)

    def label(self, key: Key) -> str:
        """Shortcut, words, and what the key repeats of the answer that is picked."""
        label = key.label
        if key.hold:
            label = f"{name_of(key)} · {self.words.hold}"
        for value, echo in key.echo:
            if any(picker.picked == value for picker in self._pickers(key.form)):
                label = f"{label}  {echo}"
        shortcut = PRINTED.get(key.shortcut, key.shortcut)
        return f" {shortcut} │ {label} " if shortcut else f" {label} "

    def on_picker_picked(self, _: Picker.Picked) -> None:
        """The keys repeat the new answer."""
        for button in self.buttons:
            button.label = self.label(button.key)

    def dim(self, dead: Callable[[Key], bool]) -> None:
        """Show which keys do nothing for the moment."""
        for button in self.buttons:
            button.set_class(dead(button.key), "arming")

    # ---- answers ---------------------------------------------------------------------------------

    @property
    def cards(self) -> CardEntry | None:
        """The entry of five cards, where the page has one."""
        return next(iter(self.query(CardEntry)), None)

    def _pickers(self, form: int) -> list[Picker]:
        return [picker for picker in self.query(Picker) if picker.choice.form == form]

    def to_first_field(self) -> None:
        """Where the next answer goes: a choice that is not made, the cards, a field that must not stay
        empty."""
        first: list[Widget] = [p for p in self.query(Picker) if not p.picked and p.choice.options]
        first += self.query(CardEntry)
        first += [f for f in self.query(AnswerField) if f.answer.required and not f.value]
        self.screen.set_focus(first[0] if first else None)

    def picks(self, number: str) -> bool:
        """A digit picks where nothing is picked yet; with nothing left to ask, it picks anew. Beside a
        PIN every number has a stroke before it, so that no digit of the PIN picks anybody."""
        pickers, pin = list(self.query(Picker)), self._pin()
        open_ones = [picker for picker in pickers if not picker.picked]
        for picker in pickers if pin else open_ones or pickers:
            if picker.pick(number):
                if pin is not None:
                    pin.value = ""
                if open_ones:
                    self.to_first_field()
                return True
        return False

    def _pin(self) -> AnswerField | None:
        return next((field for field in self.query(AnswerField) if field.answer.secret), None)

    def begins_pin(self, digit: str) -> bool:
        """A PIN never presses keys."""
        field = self._pin()
        if field is None:
            return False
        field.focus()
        field.insert_text_at_cursor(digit)
        return True

    def ask_pin_again(self) -> None:
        """What was typed did not help: its fields are as the page has them, and what belongs to a
        longer entry stays. A PIN in the wrong field would stand there in clear."""
        for field in self.query(AnswerField):
            if not field.answer.keep or field.answer.secret:
                field.value = field.answer.value
        first = next((f for f in self.query(AnswerField) if not f.value), self._pin())
        if first is not None:
            first.focus()

    def missing(self, form: int) -> str:
        """The label of the first answer that is missing, which gets the focus; empty if none is."""
        for picker in self._pickers(form):
            if picker.choice.required and not picker.picked:
                picker.focus()
                return picker.choice.label
        for field in self.query(AnswerField):
            if field.answer.form == form and field.answer.required and not field.value.strip():
                field.focus()
                return field.answer.label
        return ""

    def form_of(self, key: Key) -> int:
        """A preview's keys belong to the form of the cards."""
        if key.form != NO_FORM or self.cards is None:
            return key.form
        return self.cards.cards.form

    def answers(self, form: int) -> Pairs:
        """What was typed and picked for a form, as a browser would post it."""
        answers = [
            (field.answer.name, field.value)
            for field in self.query(AnswerField)
            if field.answer.form == form
        ]
        answers += [(p.choice.name, p.picked) for p in self._pickers(form) if p.picked]
        entry = self.cards
        if entry is not None and entry.cards.form == form:
            answers += [("card", card) for card in entry.picked]
        return answers


def name_of(key: Key) -> str:
    """What a key that is held in a browser is called, without the word that says so."""
    return key.label.rpartition(" · ")[0] or key.label
