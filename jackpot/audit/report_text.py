"""What ``jackpot verify`` prints for people: what was walked over, findings, notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jackpot.audit.checker.report import Report, Summary
from jackpot.audit.finding_text import finding_line, note_line, pool_text, unreadable_text
from jackpot.law.words import Language, cents_text, microcents_text


class _Noun(NamedTuple):
    """Something that is counted."""

    one: str
    more: str


_BATCH, _EVENT = _Noun("lote", "lotes"), _Noun("suceso", "sucesos")
_DAY, _HAND = _Noun("jornada", "jornadas"), _Noun("jugada", "jugadas")
_AWARD, _FINDING = _Noun("premio", "premios"), _Noun("hallazgo", "hallazgos")


def report_text(report: Report, language: Language) -> str:
    """A report in words; the English ones are the checker's own."""
    if language is Language.EN:
        return report.as_text()
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    if report.unreadable is not None:
        yield f"no se puede leer: {unreadable_text(report.unreadable, Language.ES)}"
        return
    if report.summary is not None:
        yield from _summary(report.summary)
    for finding in report.findings:
        yield f"HALLAZGO {finding_line(finding, Language.ES)}"
    if report.more_findings:
        yield f"… y {_counted(report.more_findings, _FINDING)} más"
    for note in report.notes:
        yield f"nota     {note_line(note, Language.ES)}"
    count = len(report.findings) + report.more_findings
    yield _counted(count, _FINDING) if count else "limpio: sin hallazgos"


def _summary(summary: Summary) -> Iterator[str]:
    last = summary.last_checkpoint_batch
    signed = "ninguno" if last is None else f"el último del lote {last}"
    yield f"registro         {summary.ledger}"
    yield f"origen           {summary.origin}"
    yield f"clave pública    {summary.public_key}"
    walked = (_counted(summary.batches, _BATCH), _counted(summary.events, _EVENT))
    yield f"recorrido        {', '.join(walked)}"
    played = ((summary.days, _DAY), (summary.hands, _HAND), (summary.awards, _AWARD))
    yield f"jugado           {', '.join(_counted(count, noun) for count, noun in played)}"
    yield f"pagado           {cents_text(summary.paid_cents, Language.ES)}"
    for name, microcents in summary.pools_microcents.items():
        held = microcents_text(microcents, Language.ES)
        yield f"fondo            {pool_text(name)}: {held}"
    yield f"cabeza           {summary.head_hash}"
    yield f"puntos firmados  {summary.checkpoints}, {signed}; de testigos: {summary.witnesses}"


def _counted(count: int, noun: _Noun) -> str:
    return f"{count} {noun.one if count == 1 else noun.more}"
