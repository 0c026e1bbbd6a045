"""docs/verify.md: it names every validator, and its commands work as they stand."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from pathlib import Path

from test_carrusel_across import FAULTS_ACROSS
from test_planted_faults import CARRUSEL_FAULTS, FAULTS, PIT_FAULTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "verify.md").read_text(encoding="utf-8")

FOUND_BY_TAMPERING = {
    "batch_numbers",
    "causes",
    "chain",
    "checkpoints",
    "derived",
    "integrity",
    "readability",
    "schema",
    "seq_numbers",
    "stored_states",
    "tail",
    "times",
}
"""Those that ``test_tampering`` shows at work."""

FOUND_IN_PACKS = {"pack"}
"""And ``test_evidence``."""


def validators_in_code() -> set[str]:
    """The first argument of every finding and note, and the validators of the outcomes."""
    names = set()
    for path in sorted((ROOT / "jackpot" / "audit" / "checker").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("wrong", "note")
                and isinstance(node.args[0], ast.Constant)
            ):
                names.add(str(node.args[0].value))
        if path.name == "outcomes.py":
            names |= set(re.findall(r'": \("([a-z_]+)",', path.read_text(encoding="utf-8")))
    return names


def test_every_validator_is_explained() -> None:
    section = PAGE.split("## The validators")[1].split("## What it cannot prove")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", section, re.M)
    named = {name for cell in cells for name in re.findall(r"`([a-z_]+)`", cell)}
    assert named == validators_in_code()


def test_every_validator_is_shown_at_work() -> None:
    planted = {fault.validator for fault in (*FAULTS, *PIT_FAULTS, *CARRUSEL_FAULTS)}
    planted |= {fault.validator for fault in FAULTS_ACROSS.values()}
    assert planted | FOUND_BY_TAMPERING | FOUND_IN_PACKS == validators_in_code()


def commands(heading: str) -> list[str]:
    """The shell commands under a heading of the page."""
    section = PAGE.split(f"### {heading}\n")[1].split("\n##")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.S)


def run(script: str, story: Path, folder: Path) -> str:
    environment = {**os.environ, "LEDGER": str(story), "BATCH": "87"}
    done = subprocess.run(
        ["sh", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_checkpoint_can_be_checked_with_openssl(story: Path, tmp_path: Path) -> None:
    verified, hashes = commands("A checkpoint, with openssl")
    assert "Signature Verified Successfully" in run(verified, story, tmp_path)
    printed = run(hashes, story, tmp_path)
    assert re.fullmatch(r"([0-9a-f]{64})\1\n", printed)


def test_conservation_is_one_query(
    story: Path, carried: Path, pit_ledger: Path, tmp_path: Path
) -> None:
    (query,) = commands("Conservation, in one query")
    assert run(query, story, tmp_path) == "0\n"
    assert run(query, carried, tmp_path) == "0\n"
    assert run(query, pit_ledger, tmp_path) == "0\n"


def test_paid_is_what_was_decided(story: Path, tmp_path: Path) -> None:
    """1,450.36, then twice 855.31 (10 % of 8,553.14), then the royal flush's 6,844.52."""
    (query,) = commands("Paid is what was decided")
    assert run(query, story, tmp_path) == "1000550|1000550\n"
