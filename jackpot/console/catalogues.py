"""The catalogues: what the screens say, extracted from code and templates; written and compiled.

``python -m jackpot.console.catalogues`` after a text changed: new texts appear in the ``.po`` files
with an empty translation, old ones go, and the ``.mo`` files are compiled. Same input, same bytes.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from jackpot.console.language import DOMAIN, LOCALE_FOLDER
from jackpot.law.words import Language

_PACKAGE = Path(__file__).parent
_METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
_KEYWORDS = {"_": None, "mark": None, "ngettext": (1, 2)}
_NOISE = (
    b'"POT-Creation-Date:',
    b'"PO-Revision-Date:',
    b'"Last-Translator:',
    b'"Language-Team:',
    b'"Report-Msgid-Bugs-To:',
    b'"Generated-By:',
)
"""Lines of the header that say nothing, or something else each time."""
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
"""Compiled catalogues name a date; the same text must give the same bytes."""
_TITLE = "jackpot-controller screens"


def extracted() -> Catalog:
    """Every text of the screens, without translations."""
    catalog = _empty(None)
    found = extract_from_dir(_PACKAGE, method_map=_METHODS, keywords=_KEYWORDS)
    for file, _, message, _, _ in sorted(found, key=lambda entry: (str(entry[2]), entry[0])):
        catalog.add(message, locations=[(file, 0)])
    return catalog


def _empty(language: Language | None) -> Catalog:
    return Catalog(
        locale=None if language is None else language.value,
        header_comment=f"# {_TITLE}",
        project="jackpot-controller",
        version="1",
        fuzzy=False,
    )


def po_path(language: Language) -> Path:
    """The catalogue of a language as people write it."""
    return LOCALE_FOLDER / language.value / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: Language) -> Catalog:
    """The catalogue as it stands in its file; empty if there is none."""
    path = po_path(language)
    if not path.exists():
        return _empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=language.value)


def merged(language: Language) -> Catalog:
    """The extracted texts with the translations that exist. English translates itself."""
    old, new = read(language), _empty(language)
    for message in extracted():
        if not message.id:
            continue
        known = old.get(message.id if isinstance(message.id, str) else message.id[0])
        text = known.string if known is not None else ""
        if language is Language.EN:
            text = message.id
        new.add(message.id, text, locations=message.locations)
    return new


def po_bytes(catalog: Catalog) -> bytes:
    """The text of a ``.po`` file, without dates and line numbers."""
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=100, omit_header=False, sort_output=True, include_lineno=False)
    lines = buffer.getvalue().split(b"\n")
    return b"\n".join(line for line in lines if not line.startswith(_NOISE))


def mo_bytes(catalog: Catalog) -> bytes:
    """The compiled form."""
    buffer = io.BytesIO()
    written = read_po(io.BytesIO(po_bytes(catalog)), locale=catalog.locale)
    written.creation_date = written.revision_date = _NO_DATE
    write_mo(buffer, written)
    return buffer.getvalue()


def main() -> None:
    """Bring both catalogues up to date."""
    for language in Language:
        catalog = merged(language)
        path = po_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(po_bytes(catalog))
        path.with_suffix(".mo").write_bytes(mo_bytes(catalog))


if __name__ == "__main__":
    main()
