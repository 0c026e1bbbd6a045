"""The fields of events in Spanish and English, as a report or a pack of evidence tells them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from jackpot.audit.reasons import reason_text
from jackpot.audit.words import HANDS
from jackpot.law.words import Text, cents_text, microcents_text

FIELDS: Mapping[str, Text] = {
    "a": Text(("dato A", "byte A")),
    "accepted": Text(("aceptadas por la ranura", "accepted by the slot")),
    "accepts": Text(("aceptadas", "accepted")),
    "alarm": Text(("alarma", "alarm")),
    "authorisation": Text(("autorización", "authorisation")),
    "author": Text(("coordinador", "coordinator")),
    "award": Text(("premio", "award")),
    "b": Text(("dato B", "byte B")),
    "bet": Text(("apuesta", "bet")),
    "by": Text(("responsable", "officer")),
    "carrusel": Text(("carrusel", "carrusel")),
    "chips": Text(("fichas", "chips")),
    "chips_after": Text(("fichas después", "chips after")),
    "chips_before": Text(("fichas antes", "chips before")),
    "clean": Text(("parada en orden", "stopped in order")),
    "continuity": Text(("contador", "counter")),
    "copy": Text(("copia", "copy")),
    "count": Text(("cuenta", "count")),
    "counted": Text(("contadas", "counted")),
    "day": Text(("jornada", "day")),
    "decision": Text(("decisión", "decision")),
    "deducted_microcents": Text(("deducción", "deducted")),
    "detail": Text(("detalle", "detail")),
    "detected": Text(("detectadas", "detected")),
    "entry": Text(("anotación", "entry")),
    "entry_hash": Text(("huella de la anotación", "hash of the entry")),
    "epoch": Text(("época", "epoch")),
    "expected": Text(("ficha de Jackpot", "jackpot chip")),
    "fraud": Text(("indicio de fraude", "sign of fraud")),
    "from_layout": Text(("del paño", "from layout")),
    "from_table": Text(("de la mesa", "from table")),
    "hand": Text(("jugada", "hand")),
    "hands": Text(("jugadas", "hands")),
    "house_microcents": Text(("la casa", "house")),
    "how": Text(("final", "end")),
    "incarnation": Text(("ingreso n.º", "incarnation")),
    "insertions": Text(("introducidas", "inserted")),
    "item": Text(("aviso", "notice")),
    "jackpot": Text(("Jackpot n.º", "jackpot no.")),
    "layout": Text(("paño", "layout")),
    "left": Text(("quedan", "left")),
    "lost": Text(("perdidos", "lost")),
    "maker": Text(("fabricante", "maker")),
    "meter_microcents": Text(("acumulado", "meter")),
    "mode": Text(("modo", "mode")),
    "name": Text(("nombre", "name")),
    "officer": Text(("responsable", "officer")),
    "officers": Text(("responsables", "officers")),
    "old_batch": Text(("último lote", "last batch")),
    "old_hash": Text(("huella", "hash")),
    "old_ledger": Text(("registro anterior", "earlier ledger")),
    "operation": Text(("operación", "operation")),
    "overflow_microcents": Text(("excedente", "overflow")),
    "paid_cents": Text(("pagado", "paid")),
    "paid_to": Text(("se entrega a", "paid to")),
    "pairs": Text(("últimos sucesos", "last events")),
    "plays": Text(("juega", "plays")),
    "pool": Text(("fondo", "pool")),
    "position": Text(("posición", "position")),
    "product": Text(("modelo", "product")),
    "reserve_microcents": Text(("reserva", "reserve")),
    "restart": Text(("vuelve a empezar", "restart")),
    "result": Text(("resultado", "result")),
    "rule": Text(("regla", "rule")),
    "second": Text(("segunda firma", "second signature")),
    "second_signature": Text(("exige otra firma", "needs another signature")),
    "seed_house_microcents": Text(("inicial de la casa", "seed of the house")),
    "seed_overflow_microcents": Text(("inicial del excedente", "seed of the overflow")),
    "seed_reserve_microcents": Text(("inicial de la reserva", "seed of the reserve")),
    "serial": Text(("número de serie", "serial number")),
    "source": Text(("origen", "source")),
    "stage": Text(("paso", "stage")),
    "step_ns": Text(("salto en ns", "step in ns")),
    "table": Text(("mesa", "table")),
    "to_layout": Text(("al paño", "to layout")),
    "to_table": Text(("a la mesa", "to table")),
    "token": Text(("llave de seguridad", "token")),
    "undoes": Text(("deshace la decisión", "undoes decision")),
    "unknown_boxes": Text(("casillas mudas", "silent boxes")),
    "version": Text(("versión", "version")),
    "view_position": Text(("posición de la vista", "position of the view")),
    "what": Text(("qué", "what")),
    "why": Text(("motivo", "reason")),
}
"""What each field of an event's ``info`` is called."""

REASONS: Mapping[str, Text] = {
    "late": Text(("tarde", "late")),
    "second": Text(("segunda ficha", "a second chip")),
    "wrong": Text(("otra ficha", "another chip")),
    "closed_box": Text(("casilla cerrada", "a closed box")),
    "returned": Text(("apuesta devuelta", "bet returned")),
    "no_reply": Text(("no responde", "no reply")),
    "no_echo": Text(("sin eco: cableado o alimentación", "no echo: wiring or supply")),
    "collision": Text(("colisión en la línea", "collision on the line")),
    "bad_checksum": Text(("respuesta dañada", "a damaged answer")),
    "refused": Text(("lo rechaza", "it refuses")),
    "busy": Text(("ocupada", "busy")),
    "wrong_shape": Text(("respuesta de otra longitud", "an answer of another length")),
    "not_a_coin_acceptor": Text(("no es un aceptador", "no acceptor")),
    "no_chip_channel": Text(("sin canal para la ficha", "no channel for the chip")),
    "mask_too_short": Text(("máscara demasiado corta", "mask too short")),
    "credits_by_value": Text(("comunica valores, no canales", "tells values, not channels")),
    "path_not_taken": Text(("otra vía del clasificador", "another way through the sorter")),
    "self_check": Text(("falla la autocomprobación", "its self-check fails")),
    "inconsistent": Text(("sucesos que se contradicen", "events that contradict each other")),
    "line_lost": Text(("línea perdida", "line lost")),
}
"""What a machine gives as ``why``; what officers pick is in `jackpot.audit.reasons`."""

VALUES: Mapping[str, Mapping[str, Text]] = {
    "alarm": {
        "slot_line": Text(("línea de las ranuras", "line of the slots")),
        "disk_nearly_full": Text(("disco casi lleno", "disk nearly full")),
        "disk_full": Text(("disco lleno", "disk full")),
        "clock_behind": Text(("reloj atrasado", "clock behind")),
        "ledger_restored": Text(("copia antigua del registro", "older ledger restored")),
        "officers_restored": Text(("responsables restaurados", "officers restored")),
        "sign_lost": Text(("panel perdido", "sign lost")),
    },
    "continuity": {
        "fresh": Text(("nuevo", "new")),
        "continued": Text(("continúa", "goes on")),
        "doubtful": Text(("dudoso", "doubtful")),
    },
    "detail": REASONS,
    "hand": HANDS,
    "how": {
        "no_awards": Text(("sin premios", "no awards")),
        "paid": Text(("con premio", "paid")),
        "voided": Text(("anulada", "voided")),
    },
    "mode": {
        "automatic": Text(("automático", "automatic")),
        "manual": Text(("manual", "manual")),
    },
    "pool": {
        "jackpot": Text(("acumulado", "meter")),
        "overflow": Text(("excedente", "overflow")),
        "reserve": Text(("reserva", "reserve")),
    },
    "result": {
        "passed": Text(("superada", "passed")),
        "failed": Text(("no superada", "failed")),
    },
    "source": {
        "chip": Text(("ficha", "chip")),
        "asserted": Text(("afirmada", "asserted")),
        "held": Text(("en espera", "waited")),
        "carried": Text(("de la jugada anulada", "carried over")),
        "disputed": Text(("reclamada", "disputed")),
    },
    "stage": {
        "moved": Text(("se mueve el acumulado", "the meter moves")),
        "locked": Text(("no va más", "betting closed")),
        "claimed": Text(("premio pendiente", "award claimed")),
        "withdrawn": Text(("premio pendiente retirado", "claim taken back")),
        "ended": Text(("fin de la jugada", "hand ended")),
        "reversal": Text(("se pide deshacer la decisión", "undoing asked")),
        "leaving": Text(("salida", "leaving")),
    },
    "what": {
        "hand_back_chip": Text(("devolver una ficha", "hand a chip back")),
        "events_lost": Text(("sucesos perdidos", "events lost")),
        "slot_restarted": Text(("ranura reiniciada", "slot restarted")),
        "slot_doubtful": Text(("ranura dudosa", "slot doubtful")),
        "fraud_sign": Text(("indicio de fraude", "sign of fraud")),
        "slot_locked": Text(("ranura bloqueada", "slot locked")),
        "drop_differs": Text(("el recuento difiere", "the count differs")),
    },
    "why": REASONS,
}
"""What the values of a field are called, where they are a fixed few."""

TOLD_ELSEWHERE = frozenset(
    {"derivation", "terms", "config_text", "profile_text", "payments", "shares", "signature"}
)
"""Fields that have a place of their own or are too long for a line."""

_YES, _NO, _NOTHING = Text(("sí", "yes")), Text(("no", "no")), Text(("ninguna", "none"))
_BOX = Text(("casilla", "box"))


def fields_text(info: Mapping[str, object], language: str) -> Iterator[str]:
    """``responsable c1``, ``motivo no responde``: each field of an event, but the longest."""
    for name, value in info.items():
        if name in TOLD_ELSEWHERE:
            continue
        known = VALUES.get(name, {})
        if name == "why" and "by" in info:
            said = reason_text(str(value), language)
        elif isinstance(value, str) and value in known:
            said = known[value].text(language)
        else:
            said = _plain(name, value, language)
        yield f"{FIELDS[name].text(language) if name in FIELDS else name} {said}"


def _plain(name: str, value: object, language: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return (_YES if value else _NO).text(language)
    if isinstance(value, int):
        if name.endswith("_microcents"):
            return microcents_text(value, language)
        return cents_text(value, language) if name.endswith("_cents") else str(value)
    if value is None or value == []:
        return _NOTHING.text(language)
    if isinstance(value, list):
        return ", ".join(listed_part(each, language) for each in value)
    return msgspec.json.encode(value).decode()


def listed_part(value: object, language: str) -> str:
    """One of a list; a declared hand as its box and cards."""
    if isinstance(value, dict) and "cards" in value:
        bet = f".{value['bet']}" if value.get("bet", 1) > 1 else ""
        return f"{_BOX.text(language)} {value.get('box')}{bet}: {value['cards']}"
    return str(value) if isinstance(value, int | str) else msgspec.json.encode(value).decode()
