"""A page of the console, read as the items that a terminal can show. Pure.

The terminal has no rules and no texts of its own for what happens at the table: it shows the very
page that a browser gets and posts the very form. Whatever a page gains, the terminal gains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

from jackpot.terminal.items import (
    NO_FORM,
    Answer,
    Cards,
    Choice,
    Form,
    Item,
    Key,
    Lamp,
    Lamps,
    Option,
    Page,
    Preview,
    Words,
)


@dataclass
class _Reader:
    """Walks through the elements in the order in which they are read."""

    soup: BeautifulSoup
    items: list[Item] = field(default_factory=list)
    bar: list[Key] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.forms = self.soup.find_all("form")
        self.special: Mapping[str, Callable[[Tag], None]] = {
            "bar": self._bar,
            "summary": self._summary,
            "boxes": self._lamps,
            "refusal": self._refusal,
            "grid": self._cards,
            "listed": self._line_with_keys,
            "box-row": self._line_with_keys,
            "place": self._words("line"),
            "offline": lambda _: None,
            "pad": lambda _: None,
            "languages": self._bar,
            "legend": self._words("lead"),
        }
        self.by_name: Mapping[str, Callable[[Tag], None]] = {
            "h1": self._words("title"),
            "h2": self._words("heading"),
            "legend": self._words("heading"),
            "p": self._paragraph,
            "li": self._line_with_keys,
            "tr": self._row,
            "dl": self._facts,
            "a": self._link,
            "button": self._button,
            "label": self._field,
            "fieldset": self._fieldset,
        }

    def walk(self, tag: Tag) -> None:
        """Everything below ``tag``."""
        for child in tag.children:
            if isinstance(child, Tag):
                self._element(child)
            elif isinstance(child, NavigableString) and child.strip():
                self._say(" ".join(child.split()), "line")

    def _element(self, tag: Tag) -> None:
        own = [self.special[name] for name in _classes(tag) if name in self.special]
        read = own[0] if own else self.by_name.get(tag.name)
        if tag.get("id") == "preview":
            part = _Reader(self.soup)
            part.walk(tag)
            self.items.append(Preview(tuple(part.items)))
            self.refusals += part.refusals
        elif read is not None:
            read(tag)
        elif tag.name in ("b", "small", "span", "strong", "em"):
            self._say(_text(tag), "line")
        elif tag.name not in ("script", "style", "input", "kbd"):
            self.walk(tag)

    # ---- words -----------------------------------------------------------------------------------

    def _say(self, text: str, style: str) -> None:
        if text:
            self.items.append(Words(text, style))

    def _words(self, style: str) -> Callable[[Tag], None]:
        return lambda tag: self._say(_text(tag), style)

    def _paragraph(self, tag: Tag) -> None:
        self._say(_text(tag), "title" if "big-amount" in _classes(tag) else "lead")

    def _summary(self, tag: Tag) -> None:
        parts = [_text(part) for part in tag.find_all("div", recursive=False)]
        self._say("   ".join(part for part in parts if part), "title")

    def _row(self, tag: Tag) -> None:
        self._say("  ".join(filter(None, map(_text, tag.find_all(["td", "th"])))), "line")

    def _facts(self, tag: Tag) -> None:
        for term in tag.find_all("dt"):
            told = term.find_next_sibling("dd")
            self._say(f"{_text(term)}: {'' if told is None else _text(told)}", "line")

    def _line_with_keys(self, tag: Tag) -> None:
        """A line of words; the keys in it follow."""
        keys = list(tag.find_all(["a", "button"]))
        if not keys:
            self._say(_text(tag), "line")
            return
        words = [_text(part) for part in tag.children if isinstance(part, Tag) and part not in keys]
        self._say("  ".join(filter(None, words)), "line")
        for key in keys:
            self._element(key)

    def _refusal(self, tag: Tag) -> None:
        if "data-reason" in tag.attrs or "told" in _classes(tag):
            self.refusals.append(_text(tag))
        else:
            self._say(_text(tag), "alert")

    def _lamps(self, tag: Tag) -> None:
        lamps = (
            Lamp(
                _attr(box, "data-box"),
                _text_of(box, "i"),
                _text_of(box, "span"),
                _attr(box, "data-lamp"),
            )
            for box in tag.find_all("div", attrs={"data-lamp": True})
        )
        self.items.append(Lamps(tuple(lamps)))

    # ---- keys ------------------------------------------------------------------------------------

    def _bar(self, tag: Tag) -> None:
        for button in tag.find_all("button"):
            if not button.has_attr("data-away"):  # to the other half of a screen: here is only one
                self.bar.append(self._key(button))

    def _link(self, tag: Tag) -> None:
        if "key" in _classes(tag):
            main = "main" in _classes(tag)
            self.items.append(
                Key(_text(tag), _attr(tag, "data-key"), address=_attr(tag, "href"), main=main)
            )

    def _button(self, tag: Tag) -> None:
        if (
            tag.get("type") == "button"
        ):  # a help for fingers and mice, or a key that is out of order
            if tag.has_attr("disabled"):
                self._say(_text(tag), "lead")
            return
        self.items.append(self._key(tag))

    def _key(self, tag: Tag) -> Key:
        echo = tuple((_attr(e, "data-chips"), _text(e)) for e in tag.find_all(class_="echo"))
        name = _attr(tag, "name")
        return Key(
            label=_text(tag, without=("kbd", "echo")),
            shortcut=_attr(tag, "data-key"),
            form=self._form(tag),
            address=_attr(tag, "formaction"),
            answer=(name, _attr(tag, "value")) if name else None,
            echo=echo,
            hold=tag.has_attr("data-hold"),
            dead=tag.has_attr("disabled"),
            main="main" in _classes(tag),
            unchecked=tag.has_attr("formnovalidate"),
        )

    # ---- fields ----------------------------------------------------------------------------------

    def _form(self, tag: Tag) -> int:
        """The number of the form that an element belongs to, by its place or by name."""
        named = _attr(tag, "form")
        for number, form in enumerate(self.forms):
            if (named and form.get("id") == named) or (not named and form in tag.parents):
                return number
        return NO_FORM

    def _field(self, tag: Tag) -> None:
        box = tag.find("input")
        if not isinstance(box, Tag):
            return
        self.items.append(
            Answer(
                form=self._form(box),
                name=_attr(box, "name"),
                label=_text(tag),
                value=_attr(box, "value"),
                secret=box.get("type") == "password",
                longest=int(_attr(box, "maxlength") or 200),
                required=box.has_attr("required"),
                keep=_attr(box.find_parent("fieldset"), "id"),
            )
        )

    def _fieldset(self, tag: Tag) -> None:
        """A choice, and whatever else stands in it; a fieldset without one is only a frame."""
        radios = tag.find_all("input", type="radio")
        if radios:
            options = tuple(
                Option(_attr(radio, "value"), _text(_label_of(radio)), _pick(radio))
                for radio in radios
            )
            picked = [_attr(radio, "value") for radio in radios if radio.has_attr("checked")]
            name = _attr(radios[0], "name")
            self.items.append(
                Choice(
                    form=self._form(tag),
                    name=name,
                    label=_text_of(tag, "legend"),
                    options=options,
                    picked=picked[0] if picked else "",
                    required=any(radio.has_attr("required") for radio in radios),
                    keep=_attr(tag, "id"),
                )
            )
        else:
            self._say(_text_of(tag, "legend"), "heading")
        for label in tag.find_all("label", class_="field"):
            self._field(label)
        for note in tag.find_all("p"):
            self._paragraph(note)

    def _cards(self, tag: Tag) -> None:
        entry = tag.find_parent("form")
        boxes = tag.find_all("input", attrs={"name": "card"})
        self.items.append(
            Cards(
                form=self._form(tag),
                label=_text_of(tag, "legend"),
                suits=tuple(_attr(entry, "data-suits").split(",")),
                used=frozenset(_attr(box, "value") for box in boxes if box.has_attr("disabled")),
            )
        )


def read_page(html: str) -> Page:
    """The page as items in reading order; also a part of a page, as an entry's preview is."""
    soup = BeautifulSoup(html, "html.parser")
    body = soup.body or soup
    reader = _Reader(soup)
    reader.walk(body)
    panel, offline = soup.find(id="panel"), soup.find(id="offline")
    names = soup.find(class_="bar") or soup.find("header")
    parts = [] if names is None else names.find_all(["a", "h1", "span", "p"], recursive=False)
    title = "  ".join(_text(part) for part in parts if not part.has_attr("hidden"))
    return Page(
        title=title,
        language=_attr(soup.html, "lang"),
        live="live" in _classes(body),
        phase=_attr(panel if isinstance(panel, Tag) else None, "data-phase"),
        offline=_text(offline) if isinstance(offline, Tag) else "",
        refusal=" ".join(reader.refusals),
        items=tuple(reader.items),
        bar=tuple(reader.bar),
        forms=tuple(
            Form(
                _attr(form, "action"),
                tuple(
                    (_attr(f, "name"), _attr(f, "value"))
                    for f in form.find_all("input", type="hidden")
                ),
            )
            for form in reader.forms
        ),
    )


def _classes(tag: Tag) -> list[str]:
    return [str(name) for name in tag.get_attribute_list("class") if name]


def _attr(tag: Tag | None, name: str) -> str:
    value = None if tag is None else tag.get(name)
    return value if isinstance(value, str) else ""


def _text_of(tag: Tag, name: str) -> str:
    found = tag.find(name)
    return _text(found) if isinstance(found, Tag) else ""


def _text(tag: Tag, without: tuple[str, ...] = ("kbd",)) -> str:
    """The words of an element in one line, without the printed shortcuts of its keys."""

    def said(part: Tag) -> Iterator[str]:
        for child in part.children:
            if isinstance(child, NavigableString):
                yield str(child)
            elif isinstance(child, Tag) and not {child.name, *_classes(child)} & {*without}:
                yield " "
                yield from said(child)
                yield " "

    return " ".join("".join(said(tag)).replace("\u00a0", " ").split())


def _label_of(radio: Tag) -> Tag:
    return radio.find_parent("label") or radio


def _pick(radio: Tag) -> str:
    return _attr(radio, "data-pick") or _attr(radio, "data-key") or _attr(radio, "data-box")
