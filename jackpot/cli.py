"""``jackpot``: the command line. Each group of commands is a module, imported only when wanted.

Exit status: 0 done; 1 findings; 2 refused, or a wrong command line; 3 busy (another program has the
ledger, the serial port or the address); 4 our own fault, or a disk that left a commit unknown.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence

import typer

from jackpot.errors import BUSY, JackpotError, exit_status

__all__ = ["BUSY", "MODULES", "build_app", "exit_status", "main"]

MODULES: Mapping[str, tuple[str, ...]] = {
    "jackpot.commands.table": ("run", "check-config", "version"),
    "jackpot.commands.init": ("init",),
    "jackpot.commands.officers": ("officers",),
    "jackpot.commands.console": ("console",),
    "jackpot.commands.law": ("rules", "award"),
    "jackpot.commands.demo": ("demo",),
    "jackpot.commands.floor": ("simulate-floor",),
    "jackpot.commands.slots": ("slots",),
    "jackpot.commands.doctor": ("doctor",),
    "jackpot.commands.carrusel": ("coordinator", "carrusel"),
    "jackpot.commands.certs": ("certs",),
    "jackpot.commands.verify": ("verify",),
    "jackpot.commands.signs": ("sign-watchdog",),
    "jackpot.commands.replay": ("replay",),
    "jackpot.commands.audit_site": ("audit",),
    "jackpot.commands.books": ("journal", "export", "datasette", "evidence", "report"),
    "jackpot.commands.table_book": ("book", "slip"),
    "jackpot.commands.ledger": ("snapshot", "restore", "checkpoint", "public-key"),
}
"""Every command by the module that registers it (``register(app)``)."""


def build_app(commands: Sequence[str] = ()) -> typer.Typer:
    """The command line; with ``commands`` only the modules that these need, else all."""
    app = typer.Typer(
        help="The progressive jackpot of a casino poker table.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def jackpot() -> None:
        """The progressive jackpot of a casino poker table (Canarias, Decreto 234/1997)."""

    wanted = [name for name, own in MODULES.items() if set(own) & set(commands)]
    for name in wanted or MODULES:
        importlib.import_module(name).register(app)
    return app


def main() -> None:
    """Run the command line; never a traceback for an error that we know."""
    try:
        build_app(sys.argv[1:2])(prog_name="jackpot")
    except JackpotError as error:
        sys.stderr.write(f"jackpot: {error}\n")
        sys.exit(exit_status(error))


if __name__ == "__main__":
    main()
