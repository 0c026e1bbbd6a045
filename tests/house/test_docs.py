"""The pages for people are complete and true: links, rules, commands, targets, folders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from docs_rules import (
    MAKE_COMMAND,
    Command,
    anchors,
    commands,
    dead_links,
    pages,
    rules_of_profiles,
    undocumented,
    unknown_rules,
)
from source_tree import ROOT, expect_none, files, texts

from jackpot.cli import build_app

TOP_LEVEL = {
    ".ci",
    "LICENSE",
    "Makefile",
    "README.md",
    "benchmarks",
    "config",
    "docs",
    "firmware_sim",
    "jackpot",
    "pyproject.toml",
    "tests",
}


def test_the_top_level_holds_what_a_newcomer_expects_and_nothing_else() -> None:
    names = {path.parts[0] for path in files()}
    unknown = {name for name in names - TOP_LEVEL if not name.endswith(".lock")}
    assert {name for name in unknown if not name.startswith(".git")} == set()


def test_every_link_of_every_page_leads_somewhere() -> None:
    expect_none(finding for path, text in pages().items() for finding in dead_links(path, text))


def test_every_rule_that_code_or_pages_quote_is_in_a_profile() -> None:
    known = rules_of_profiles()
    expect_none(
        finding
        for path, text in texts()
        if not path.startswith("tests/")
        for finding in unknown_rules(path, text, known)
    )


def test_every_command_and_option_is_on_a_page() -> None:
    found = commands(typer.main.get_command(build_app()))
    expect_none(undocumented(found, pages()))


def test_every_make_target_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {name for text in pages().values() for name in MAKE_COMMAND.findall(text)}
    assert named - targets == set()


def test_make_without_a_target_lists_every_target_for_people() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    listed = set(re.findall(r"^([a-z]+):.*## .+", makefile, re.MULTILINE))
    assert listed == set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    assert {"demo", "test", "lock", "pictures", "bench", "clean", "help"} <= listed


def test_continuous_integration_runs_what_people_run() -> None:
    assert "exec make test" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_a_planted_make_command_is_seen_where_a_reader_would_run_it() -> None:
    text = (
        "run `make fly` or\n\n    make swim\n\n$ make walk PYTHON=x\nthen make it so, and make do"
    )
    assert MAKE_COMMAND.findall(text) == ["fly", "swim", "walk"]


def test_a_planted_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "there.md").write_text("# One heading, here\n")
    good = (
        "[a](there.md) [b](there.md#one-heading-here) [c](https://example.org/x) [d](#top)\n# Top\n"
    )
    assert dead_links("docs/page.md", good, tmp_path) == []
    bad = "[a](gone.md) ![b](gone.png) [c](there.md#another)"
    assert dead_links("docs/page.md", bad, tmp_path) == [
        "docs/page.md: the link gone.md leads nowhere",
        "docs/page.md: the link gone.png leads nowhere",
        "docs/page.md: the link there.md#another leads nowhere",
    ]


def test_links_and_headings_inside_code_are_not_the_pages_own() -> None:
    text = "# Real\n```\n# Not\n[x](gone.md)\n```\n"
    assert anchors(text) == {"real"}
    assert dead_links("docs/page.md", text) == []


def test_a_planted_rule_that_no_profile_has_is_found() -> None:
    known = rules_of_profiles()
    assert unknown_rules("docs/page.md", "as CAN-8.3 and CAN-7.3b ask", known) == []
    assert unknown_rules("docs/page.md", "as CAN-8.99 and GAL-77 ask.", known) == [
        "docs/page.md: no profile has a rule CAN-8.99",
        "docs/page.md: no profile has a rule GAL-77",
    ]


def planted_app() -> typer.Typer:
    app, officers = typer.Typer(), typer.Typer()

    @app.command("run")
    def run(config: str, quiet: bool = False) -> None: ...

    @officers.command("add")
    def add(name: str = "") -> None: ...

    app.add_typer(officers, name="officers")
    return app


def test_every_command_of_an_app_is_walked_with_its_options() -> None:
    found = {command.words: command.options for command in commands(planted_command())}
    assert set(found) == {"run", "officers add"}
    assert "--name" in found["officers add"]
    assert {"--quiet", "--no-quiet"} <= set(found["run"])


def planted_command() -> object:
    return typer.main.get_command(planted_app())


@pytest.mark.parametrize(
    ("page", "finding"),
    [
        ("`jackpot run CONFIG`", "`jackpot run --json` is on no page that shows the command"),
        ("`jackpot runs --json`", "`jackpot run` is on no page"),
        ("`jackpot run --json-lines`", "`jackpot run --json` is on no page that shows the command"),
    ],
)
def test_a_planted_command_or_option_that_no_page_shows_is_found(page: str, finding: str) -> None:
    assert undocumented([Command("run", ("--json",))], {"docs/page.md": page}) == [finding]


def test_a_command_with_its_options_on_a_page_is_no_finding() -> None:
    page = {"docs/page.md": "`jackpot run CONFIG --json`"}
    assert undocumented([Command("run", ("--json",))], page) == []
