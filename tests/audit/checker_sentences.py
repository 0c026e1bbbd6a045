"""Every sentence that the checker may say, read from its source: holes as ``{}``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

CHECKER = Path(__file__).parents[2] / "jackpot" / "audit" / "checker"

SPEAKING = frozenset(
    {
        "wrong",
        "note",
        "_wrong",
        "_wrong_sum",
        "_Broken",
        "_read",
        "_no_such_award",
        "alone",
        "demand",
        "different",
        "goes_on",
        "in_service",
        "signed_amount",
        "takes_bets",
    }
)
"""Functions whose arguments become words of a finding."""

SPOKEN_NAMES = frozenset({"says", "expected", "found", "owed", "words"})
"""Names that hold such words on their way there."""

VALIDATOR_FIRST = frozenset({"wrong", "note"})
"""Those whose first argument is the stable name of a validator."""


def template(node: ast.AST) -> str | None:
    """A text with ``{}`` for whatever is put into it; None for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
        return "".join(parts)
    return None


def texts(node: ast.AST) -> Iterator[str]:
    """The texts that an expression may be: of a choice each; keys of what is looked up are none."""
    found = template(node)
    if found is not None:
        yield found
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.BoolOp | ast.Dict):
        for value in node.values:
            yield from texts(value)
    elif isinstance(node, ast.Tuple):
        for value in node.elts:
            yield from texts(value)


def spoken(source: str) -> Iterator[str]:
    """What one module may say."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in SPEAKING:
                for argument in node.args[name in VALIDATOR_FIRST :]:
                    yield from texts(argument)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id in SPOKEN_NAMES:
                    yield from texts(node.value)
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    for name_of, value in zip(target.elts, node.value.elts, strict=True):
                        if isinstance(name_of, ast.Name) and name_of.id in SPOKEN_NAMES:
                            yield from texts(value)


def checker_sentences() -> dict[str, str]:
    """Every text of every module with the module's name."""
    found: dict[str, str] = {}
    for path in sorted(CHECKER.glob("*.py")):
        for text in spoken(path.read_text(encoding="utf-8")):
            found.setdefault(text, path.name)
    return found
