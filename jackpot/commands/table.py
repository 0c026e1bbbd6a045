"""``jackpot run``, ``jackpot check-config``, ``jackpot version``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jackpot.errors import Refused

if TYPE_CHECKING:
    from jackpot.config import Config
    from jackpot.config.coordinator import CoordinatorConfig
    from jackpot.law.limits import Finding

ConfigArgument = Annotated[Path, typer.Argument(help="The table's configuration (TOML).")]


def register(app: typer.Typer) -> None:
    """Mount the commands on the command line's app."""
    app.command("run")(run)
    app.command("check-config")(check_config)
    app.command("version")(version)


def run(
    config: ConfigArgument,
    log_format: Annotated[
        str, typer.Option("--log-format", help="json, or console for people.")
    ] = "json",
) -> None:
    """Run the table: slots, ledger and screens, until SIGTERM or Ctrl-C."""
    from jackpot.daemon.become import become_daemon
    from jackpot.daemon.log_format import LogFormat

    if log_format not in set(LogFormat):
        raise typer.BadParameter("expected json or console", param_hint="--log-format")
    become_daemon(config, LogFormat(log_format))


def check_config(
    config: Annotated[
        Path, typer.Argument(help="The configuration of a table or a coordinator (TOML).")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Answer as one JSON object.")] = False,
) -> None:
    """Check a configuration: every finding at once. Exit status 0 without findings, else 1."""
    import msgspec

    from jackpot.config import finding_text
    from jackpot.config.coordinator import CoordinatorConfig

    loaded, findings = _checked(config)
    if loaded is None or findings:
        if as_json:
            answer = msgspec.json.encode({"ok": False, "findings": findings})
            typer.echo(msgspec.json.format(answer, indent=2).decode())
        else:
            for finding in findings:
                typer.echo(finding_text(finding))
        raise typer.Exit(1)
    if as_json:
        terms = {} if isinstance(loaded, CoordinatorConfig) else {"terms": loaded.terms}
        answer = msgspec.json.encode({"ok": True, "findings": (), **terms})
        typer.echo(msgspec.json.format(answer, indent=2).decode())
    elif isinstance(loaded, CoordinatorConfig):
        typer.echo(f"{config}: no findings; coordinator {loaded.name}, carrusel {loaded.carrusel}")
    else:
        typer.echo(f"{config}: no findings; table {loaded.table.number}, {loaded.origin}")


def _checked(file: Path) -> tuple[Config | CoordinatorConfig | None, tuple[Finding, ...]]:
    """The configuration, and everything that is wrong: with the file itself, with certificates, too."""
    from jackpot.config import ConfigErrors, load_config_file
    from jackpot.config.coordinator import is_coordinator_file, load_coordinator_file
    from jackpot.daemon.link.certificate_findings import certificate_findings
    from jackpot.law.limits import Finding

    try:
        loaded = (
            load_coordinator_file(file) if is_coordinator_file(file) else load_config_file(file)
        )
        return loaded, certificate_findings(loaded)
    except ConfigErrors as errors:
        return None, errors.findings
    except Refused as refused:
        return None, (Finding("(file)", refused.expected, refused.found, refused.to_do),)


def version() -> None:
    """Show the version of the program and of its rules."""
    from importlib.metadata import version as version_of

    from jackpot.table.decide import RULES_VERSION

    typer.echo(f"jackpot {version_of('jackpot-controller')}, rules {RULES_VERSION}")
