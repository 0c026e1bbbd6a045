"""What a file may look like: lengths, guards, money, words.

Every function takes one parsed source (or a path and a text) and returns its findings.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from source_tree import Source

FUNCTION_LINES = 60
"""A function fits a screen."""

FILE_LINES = 400
FILE_LINES_AT_MOST = 600
"""What a test may have, and a file of the product with a good reason; nothing may have more."""

LONG_FILES: dict[str, str] = {}
"""Files of 401 to 600 lines, each with the reason why cutting it would make it harder to read."""

MONEY_PARTS = ("money", "law", "authority", "table", "ledger", "audit", "link", "visor")

MONEY_WORDS = (
    "amount",
    "ceiling",
    "deducted",
    "meter",
    "minimum",
    "owed",
    "paid",
    "payment",
    "price",
    "prize",
    "refund",
    "seed",
    "stake",
)
"""Last words of names that mean money. Not ``bet`` and ``award``: these are numbered, too."""

LEFT_BEHIND = re.compile(r"\b(?:TO[D]O|FIX[M]E|X[X]X)\b")
"""Duties left in the code. (The character classes here keep this file from finding itself.)"""

SOMEBODYS_MACHINE = re.compile(r"(?<![\w.])/(?:[w]ork|[r]oot|[h]ome)/[\w.]|\b[s]hared/\w")
"""Paths that exist only where somebody once worked."""

REGISTRY_HOST = re.compile(
    r"py[p]i\.(?:org|python)|python[h]osted\.org|registry\.np[m]js|registry\.yarn[p]kg"
    r"|(?:deb|ftp|security|snapshot)\.(?:[\w-]+\.)?de[b]ian\.org|archive\.u[b]untu\.com"
    r"|--(?:extra-)?index[-]url|--trusted[-]host|--find[-]links"
)
"""Where packages come from is a matter of the machine, not of this project."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def long_functions(source: Source) -> list[str]:
    """Functions of more than ``FUNCTION_LINES`` lines, from ``def`` to the last one."""
    return [
        f"{source.path}:{node.lineno}: {node.name} has {lines} lines, at most {FUNCTION_LINES}"
        for node in ast.walk(source.tree)
        if isinstance(node, FunctionNode)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    ]


def long_file(path: str, text: str) -> list[str]:
    """A file of more lines than it may have."""
    is_product = path.startswith(("jackpot/", "firmware_sim/"))
    limit = FILE_LINES if is_product and path not in LONG_FILES else FILE_LINES_AT_MOST
    lines = text.count("\n")
    return [f"{path}: {lines} lines, at most {limit}"] if lines > limit else []


def bare_asserts(source: Source) -> list[str]:
    """``assert`` disappears under ``python -O``; ``jackpot.invariant`` does not."""
    return [
        f"{source.path}:{node.lineno}: assert is no guard; use invariant()"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Assert)
    ]


def prints(source: Source) -> list[str]:
    """``print`` belongs to the command line alone; everything else returns or logs."""
    if source.module.startswith(("jackpot.cli", "jackpot.commands")) or "__main__" in source.module:
        return []
    return [
        f"{source.path}:{node.lineno}: prints; only the command line does"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "print"
    ]


def floats(source: Source) -> list[str]:
    """``float``, its literals and ``/`` in the parts that count money."""
    if not handles_money(source):
        return []
    return [
        f"{source.path}:{line}: {what} near money"
        for node in ast.walk(source.tree)
        for line, what in _float_in(node)
    ]


def handles_money(source: Source) -> bool:
    """Whether a file belongs to one of the parts that count money."""
    names = source.module.split(".")
    return names[0] == "jackpot" and len(names) > 1 and names[1] in MONEY_PARTS


def _float_in(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Name) and node.id in {"float", "Decimal", "Fraction"}:
        yield node.lineno, node.id
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield node.lineno, f"the literal {node.value!r}"
    elif isinstance(node, ast.AugAssign | ast.BinOp) and _divides(node):
        yield node.lineno, "true division"


def _divides(node: ast.AugAssign | ast.BinOp) -> bool:
    """True division; ``folder / "name"`` joins a path and is none."""
    right = node.right if isinstance(node, ast.BinOp) else node.value
    is_text = isinstance(right, ast.JoinedStr) or (
        isinstance(right, ast.Constant) and isinstance(right.value, str)
    )
    return isinstance(node.op, ast.Div) and not is_text


def money_without_unit(source: Source) -> list[str]:
    """Whole numbers named for money (a field, an argument, a result) whose name ends in no unit.

    A class may state one unit for all its fields in its docstring instead.
    """
    if not handles_money(source):
        return []
    return [
        f"{source.path}:{line}: {name} is money; end its name in _cents or _microcents"
        for line, name in _whole_numbers(source.tree)
        if name.lower().split("_")[-1] in MONEY_WORDS
    ]


def _whole_numbers(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and name of everything annotated as ``int``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.arg) and _is_int(child.annotation):
            yield child.lineno, child.arg
        elif isinstance(child, FunctionNode) and _is_int(child.returns):
            yield child.lineno, child.name
        elif isinstance(child, ast.AnnAssign) and _is_int(child.annotation):
            name = ast.unparse(child.target).rpartition(".")[2]
            yield from () if _states_a_unit(node) else ((child.lineno, name),)
        yield from _whole_numbers(child)


def _states_a_unit(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and "cents" in (ast.get_docstring(node) or "")


def _is_int(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) in {"int", "int | None"}


def unwanted_words(path: str, text: str) -> list[str]:
    """Duties left behind, paths of somebody's machine, hosts of registries."""
    wanted = [
        (LEFT_BEHIND, "a duty left behind; do it or drop it"),
        (SOMEBODYS_MACHINE, "a path of somebody's machine"),
        (REGISTRY_HOST, "the host or option of a package registry"),
    ]
    return [
        f"{path}:{number}: {why}: {match[0]!r}"
        for number, line in enumerate(text.splitlines(), start=1)
        for pattern, why in wanted
        if (match := pattern.search(line))
    ]


def namesakes(paths: Iterable[str]) -> list[str]:
    """Tests of the same name in two folders: pytest and mypy would take one for the other."""
    seen: dict[str, str] = {}
    findings = []
    for path in paths:
        name = Path(path).name
        if name in {"conftest.py", "__init__.py"}:
            continue
        if name in seen:
            findings.append(f"{path}: has the name of {seen[name]}")
        seen[name] = path
    return findings


def is_prose_or_code(path: str) -> bool:
    """Files whose length a reader minds: Python and what the screens are made of."""
    return Path(path).suffix in {".py", ".css", ".js", ".html", ".jinja", ".c"}
