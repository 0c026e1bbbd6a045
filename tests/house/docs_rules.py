"""What the pages for people must keep: links that lead somewhere, rules and commands that exist."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from source_tree import ROOT

RULE_ID = re.compile(r"\b(?:CAN|GAL|CYL)-\w+(?:\.\w+)*")
MAKE_COMMAND = re.compile(r"(?:`|^[ $]*)make ([a-z]+)(?=`|$| )", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)


def pages() -> dict[str, str]:
    """README and every page of docs, by path."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def dead_links(path: str, text: str, root: Path = ROOT) -> list[str]:
    """Relative links of a page to a file, a folder or a heading that is not there."""
    findings = []
    for link in LINK.findall(CODE_BLOCK.sub("", text)):
        target = link[0] or link[1]
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        file = (root / path).parent / name if name else root / path
        is_page = file.suffix == ".md" and file.is_file()
        here = text if not name else file.read_text("utf-8") if is_page else ""
        if (name and not file.exists()) or (anchor and anchor not in anchors(here)):
            findings.append(f"{path}: the link {target} leads nowhere")
    return findings


def anchors(text: str) -> set[str]:
    """The names that a page's headings have as targets of links."""
    headings = re.findall(r"^#+ +(.+?)\s*$", CODE_BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rules_of_profiles() -> set[str]:
    """Every rule id that some profile explains."""
    folder = ROOT / "jackpot" / "law" / "profiles"
    profiles = (tomllib.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*.toml")))
    return {rule["id"] for profile in profiles for rule in profile["rules"]}


def unknown_rules(path: str, text: str, known: set[str]) -> list[str]:
    """Rule ids that no profile explains; an article whose parts are rules may be named whole."""
    articles = {rule.rpartition(".")[0] for rule in known}
    unknown = sorted(set(RULE_ID.findall(text)) - known - articles)
    return [f"{path}: no profile has a rule {rule}" for rule in unknown]


@dataclass(frozen=True)
class Command:
    """One command of the command line: its words after ``jackpot`` and its long options."""

    words: str
    options: tuple[str, ...]


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[Command]:
    """A command and all below it; ``command`` is what Typer makes of an app."""
    below: Mapping[str, Any] = getattr(command, "commands", {})
    if not below:
        options = (opt for param in command.params for opt in (*param.opts, *param.secondary_opts))
        yield Command(" ".join(words), tuple(opt for opt in options if opt.startswith("--")))
    for name, child in below.items():
        yield from commands(child, (*words, name))


def undocumented(found: Iterable[Command], texts: Mapping[str, str]) -> list[str]:
    """Commands that no page shows, and options that no page showing the command mentions."""
    findings = []
    for command in found:
        name = f"jackpot {command.words}".strip()
        showing = [text for text in texts.values() if re.search(rf"{re.escape(name)}\b", text)]
        if not showing:
            findings.append(f"`{name}` is on no page")
        findings += [
            f"`{name} {option}` is on no page that shows the command"
            for option in command.options
            if showing and not any(re.search(rf"{option}(?![\w-])", text) for text in showing)
        ]
    return findings


def first_column(text: str, heading: str) -> set[str]:
    """The names in backticks in the first column of the table under a heading of the page."""
    part = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    cells = (line.split("|")[1] for line in part.splitlines() if line.startswith("| "))
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def names(requirements: Iterable[str]) -> set[str]:
    """The packages that lines such as ``msgspec>=0.19`` ask for."""
    return {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower() for line in requirements}
