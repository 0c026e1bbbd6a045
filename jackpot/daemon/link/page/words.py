"""The words of a coordinator's pages: Spanish first, then English."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.law.words import Language

WORDS: Mapping[str, tuple[str, str]] = {
    "carrusel": ("Carrusel", "Carrusel"),
    "coordinator": ("Coordinador", "Coordinator"),
    "prize": ("Premio", "Prize"),
    "position": ("Posición del registro", "Position of the log"),
    "pending": ("PENDIENTE", "PENDING"),
    "members": ("Mesas", "Tables"),
    "table": ("Mesa", "Table"),
    "state": ("Estado", "State"),
    "meter": ("Acumulado", "Meter"),
    "operation": ("Operación", "Operation"),
    "hand": ("Jugada cerrada", "Locked hand"),
    "member": ("miembro", "member"),
    "leaving": ("sale", "leaving"),
    "stopped": ("detenida", "stopped"),
    "heard": ("enlazada", "linked"),
    "not_heard": ("sin enlace", "not heard"),
    "waits_for": ("Espera:", "Waits:"),
    "no_answer": (
        "no responde; no se decide ningún premio",
        "does not answer; no award is decided",
    ),
    "waits": ("espera la decisión", "waits for the decision"),
    "decisions": ("Decisiones", "Decisions"),
    "decision": ("Decisión", "Decision"),
    "of_hand": ("jugada", "hand"),
    "undone": ("anula la decisión", "takes back decision"),
    "paid": ("Pagado", "Paid"),
    "view": ("En el visor", "On the visor"),
    "base": ("Base", "Base"),
    "deducted": ("Aporta", "Gives"),
    "restart": ("vuelve a empezar", "restarts"),
    "findings": ("Hallazgos", "Findings"),
    "no_findings": ("Ninguno", "None"),
    "nobody": ("Ninguna mesa se ha unido todavía", "No table has joined yet"),
    "no_decisions": ("Ninguna todavía", "None yet"),
    "broker": ("Bróker", "Broker"),
    "log": ("Registro", "Log"),
    "fine": ("correcto", "fine"),
    "acts": ("Con dos firmas", "With two signatures"),
    "override": ("No esperar a las jugadas anteriores", "Wait no longer for earlier hands"),
    "stop": ("Detener una mesa que no responde", "Stop a table that does not answer"),
    "admit": ("Admitir otro coordinador", "Admit another coordinator"),
    "act": ("Acto", "Act"),
    "subject": ("Mesa o nombre", "Table or name"),
    "number": ("Jugada", "Hand"),
    "key": ("Clave pública", "Public key"),
    "why": ("Motivo", "Reason"),
    "officer": ("Persona", "Officer"),
    "second": ("Segunda persona", "Second officer"),
    "sign": ("Firmar", "Sign"),
    "done": ("Firmado; pasa al registro.", "Signed; it goes to the log."),
    "back": ("Volver", "Back"),
}
"""Every word by its name."""


def word(name: str, language: Language) -> str:
    """One of ``WORDS``; what is no name of a word is itself."""
    pair = WORDS.get(name)
    return name if pair is None else pair[language is Language.EN]
