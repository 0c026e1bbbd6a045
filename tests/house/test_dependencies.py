"""What we stand on is declared, locked, explained, and used; and names no place to get it from."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

from docs_rules import first_column, names
from import_rules import imported
from source_tree import ROOT, expect_none, files, is_vendored, sources

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RUNTIME = names(PROJECT["dependencies"])
DEVELOPMENT = names(PROJECT["optional-dependencies"]["dev"])
PAGE = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
SYSTEM = (ROOT / ".ci" / "system-packages").read_text("utf-8")
OWN = {"jackpot", "firmware_sim"}

NEEDED_WITHOUT_IMPORT = {"python-multipart"}
"""Starlette imports it when a form arrives; it does not depend on it by itself."""


def distributions(*folders: str) -> dict[str, str]:
    """Each distribution that the files below some folders import, and one place where."""
    owners = packages_distributions()
    found = {}
    for source in sources(*folders):
        for line, name in imported(source):
            top = name.split(".")[0]
            if top not in OWN and top not in sys.stdlib_module_names:
                for owner in owners.get(top, ()):
                    found[owner.lower().replace("_", "-")] = f"{source.path}:{line}"
    return found


def test_whatever_the_product_imports_is_declared() -> None:
    used = distributions("jackpot", "firmware_sim")
    expect_none(f"{at}: {name} is not declared" for name, at in used.items() if name not in RUNTIME)


def test_whatever_is_declared_the_product_imports() -> None:
    assert RUNTIME - distributions("jackpot", "firmware_sim").keys() == NEEDED_WITHOUT_IMPORT


def test_every_dependency_is_explained_and_every_explained_one_is_a_dependency() -> None:
    assert first_column(PAGE, "Runtime") == RUNTIME
    assert first_column(PAGE, "Development") == DEVELOPMENT


def test_every_file_carried_along_has_its_licence_and_is_explained() -> None:
    carried = {path.name for path in files() if is_vendored(path.as_posix())}
    works = {name.partition("-")[0] for name in carried}
    assert {f"{work}-LICENSE.txt" for work in works} <= carried
    assert first_column(PAGE, "Carried along") == works


def test_every_package_of_the_system_is_explained() -> None:
    looked_for = set(re.findall(r'^    "\S+ (\S+)"', SYSTEM, re.MULTILINE))
    always = {"fonts-dejavu-core", "python3", "python3-venv"}
    assert first_column(PAGE, "Of the system") == looked_for | always


def test_the_lock_names_exact_versions_with_hashes_of_everything_declared() -> None:
    entries = re.split(r"^(?=[a-z])", LOCK, flags=re.MULTILINE)[1:]
    locked = {entry.partition("==")[0] for entry in entries}
    assert locked >= RUNTIME | DEVELOPMENT
    exact = re.compile(
        r"[a-z0-9.-]+==[\w.+]+(?: ; [^\n\\]+)? \\\n(?: {4}--hash=sha256:[0-9a-f]{64}[ \\]*\n)+"
    )
    expect_none(entry for entry in entries if not exact.fullmatch(entry))


def test_the_lock_names_no_place_and_no_path() -> None:
    assert [line for line in LOCK.splitlines() if "/" in line or line.startswith("-")] == []


def test_the_locks_requirement_is_met_by_what_runs_these_tests() -> None:
    required = str(PROJECT["requires-python"])
    assert required == ">=3.11"
    assert sys.version_info >= (3, 11)
