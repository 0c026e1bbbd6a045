"""What auditors read, in Spanish and English, by stable name."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.law.words import Text

KINDS: Mapping[str, Text] = {
    "controller_started": Text(("Controlador en marcha", "Controller started")),
    "controller_stopped": Text(("Controlador parado", "Controller stopped")),
    "configuration_loaded": Text(("Configuración cargada", "Configuration loaded")),
    "officers_listed": Text(("Lista de responsables", "Officers listed")),
    "clock_stepped": Text(("Reloj cambiado", "Clock changed")),
    "alarm_raised": Text(("Alarma", "Alarm")),
    "alarm_cleared": Text(("Fin de alarma", "Alarm over")),
    "slot_identified": Text(("Ranura identificada", "Slot identified")),
    "slot_restarted": Text(("Ranura reiniciada", "Slot restarted")),
    "slot_down": Text(("Ranura fuera de servicio", "Slot out of service")),
    "slot_up": Text(("Ranura en servicio", "Slot in service")),
    "chip_seen": Text(("Ficha detectada", "Chip seen")),
    "slot_event": Text(("Suceso de ranura", "Slot event")),
    "slot_events_lost": Text(("Sucesos de ranura perdidos", "Slot events lost")),
    "lock_reached": Text(("Ranuras cerradas", "Slots closed")),
    "day_opened": Text(("Mesa abierta", "Table opened")),
    "last_hands_announced": Text(("Anunciadas las últimas jugadas", "Last hands announced")),
    "day_closed": Text(("Mesa cerrada", "Table closed")),
    "box_closed": Text(("Casilla cerrada", "Box closed")),
    "box_opened": Text(("Casilla abierta", "Box opened")),
    "slot_test_started": Text(("Empieza la prueba de una ranura", "Slot test started")),
    "slot_tested": Text(("Ranura probada", "Slot tested")),
    "item_settled": Text(("Aviso resuelto", "Notice settled")),
    "hand_started": Text(("Empieza la jugada", "Hand started")),
    "lock_pressed": Text(("«No va más» pulsado", "«No va más» pressed")),
    "slot_decided": Text(("Ranura muda, decidida", "Silent slot decided")),
    "chip_decided": Text(("Ficha en espera, decidida", "Waiting chip decided")),
    "awards_declared": Text(("Premios declarados", "Awards declared")),
    "no_awards_declared": Text(("Sin premios", "No awards")),
    "awards_rejected": Text(("Declaración rechazada", "Declaration rejected")),
    "awards_confirmed": Text(("Cartas confirmadas", "Cards confirmed")),
    "awards_signed": Text(("Importe firmado", "Amount signed")),
    "award_paid": Text(("Premio pagado", "Award paid")),
    "slip_printed": Text(("Comprobante impreso", "Slip printed")),
    "hand_voided": Text(("Jugada anulada", "Hand voided")),
    "terms_in_force": Text(("Condiciones en vigor", "Terms in force")),
    "terms_pending": Text(("Condiciones en espera", "Terms waiting")),
    "jackpot_started": Text(("Empieza el Jackpot", "Jackpot started")),
    "contributed": Text(("Incremento", "Contribution")),
    "contribution_reversed": Text(("Incremento anulado", "Contribution taken back")),
    "bet_accepted": Text(("Apuesta", "Bet")),
    "bet_returned": Text(("Apuesta devuelta", "Bet returned")),
    "bet_carried": Text(("Apuesta que pasa a la siguiente", "Bet carried over")),
    "chip_refused": Text(("Ficha rechazada", "Chip refused")),
    "chip_held": Text(("Ficha en espera", "Chip waits")),
    "chip_matched": Text(("Ficha casada", "Chip matched")),
    "chip_tested": Text(("Ficha de prueba", "Chip of a test")),
    "item_opened": Text(("Aviso", "Notice")),
    "hand_locked": Text(("No va más", "Betting closed")),
    "awards_frozen": Text(("Premio congelado", "Award frozen")),
    "payment_decided": Text(("Pago decidido", "Payment decided")),
    "awards_decided": Text(("Premio decidido", "Award decided")),
    "paid_from_seed": Text(("Pagado del nuevo Jackpot", "Paid from the new jackpot")),
    "hand_ended": Text(("Fin de la jugada", "Hand ended")),
    "hands_left": Text(("Jugadas que quedan", "Hands left")),
    "day_totals": Text(("Totales de la jornada", "Totals of the day")),
    "slot_counters_read": Text(("Contadores de ranura leídos", "Slot counters read")),
    "token_used": Text(("Firmado con llave de seguridad", "Signed with a token")),
    "total_time_up": Text(("Total firme por tiempo", "Total final by time")),
    "mode_changed": Text(("Modo cambiado", "Mode changed")),
    "box_mode_changed": Text(("Modo de casilla cambiado", "Mode of a box changed")),
    "table_suspended": Text(("Mesa fuera de servicio", "Table out of service")),
    "table_resumed": Text(("Mesa de nuevo en servicio", "Table in service again")),
    "table_minimum_set": Text(("Mínimo de mesa cambiado", "Table minimum changed")),
    "layout_changed": Text(("Paño cambiado", "Layout changed")),
    "drop_counted": Text(("Fichas contadas", "Drop counted")),
    "bet_asserted": Text(("Apuesta afirmada", "Bet asserted")),
    "bet_disputed": Text(("Apuesta reclamada, aceptada", "Disputed bet accepted")),
    "decision_reversed": Text(("Decisión anulada", "Decision taken back")),
    "total_entered": Text(("Total anotado", "Total entered")),
    "total_withdrawn": Text(("Total retirado", "Total withdrawn")),
    "total_final": Text(("Total firme", "Total final")),
    "jackpot_taken_over": Text(("Jackpot de un sistema anterior", "Jackpot taken over")),
    "jackpot_received": Text(("Jackpot recibido", "Jackpot received")),
    "jackpot_moved": Text(("Jackpot trasladado", "Jackpot moved")),
    "jackpot_ended": Text(("Jackpot terminado", "Jackpot ended")),
    "jackpot_corrected": Text(("Jackpot corregido", "Jackpot corrected")),
    "seed_raised": Text(("Cantidad inicial aumentada", "Seed raised")),
    "total_corrected": Text(("Total corregido", "Total corrected")),
    "payment_reversed": Text(("Pago rectificado", "Payment reversed")),
    "controller_replaced": Text(("Controlador sustituido", "Controller replaced")),
    "amount_in": Text(("Importe que entra", "Amount in")),
    "amount_out": Text(("Importe que sale", "Amount out")),
    "amount_adjusted": Text(("Importe ajustado", "Amount adjusted")),
    "seed_added": Text(("Aportación de la casa", "Added by the house")),
    "house_settled": Text(("A cargo de la casa", "Borne by the house")),
    "drop_compared": Text(("Recuento comparado", "Drop compared")),
    "decision_undone": Text(("Decisión deshecha", "Decision undone")),
    "payment_struck": Text(("Pago suprimido", "Payment struck out")),
    "total_due": Text(("Total pendiente", "Total awaited")),
    "total_accepted": Text(("Total aceptado", "Total accepted")),
    "total_contributed": Text(("Incremento del total", "Contribution of the total")),
    "total_reversed": Text(
        ("Incremento del total anulado", "Contribution of the total taken back")
    ),
    "total_returned": Text(("Total devuelto", "Total returned")),
    "total_adjusted": Text(("Total ajustado", "Total adjusted")),
    "carrusel_join_asked": Text(("Ingreso en el carrusel, pedido", "Join of a carrusel asked")),
    "carrusel_leave_asked": Text(("Salida del carrusel, pedida", "Leave of the carrusel asked")),
    "claim_withdrawn": Text(("Premio pendiente retirado", "Claim taken back")),
    "carrusel_joined": Text(("Mesa en el carrusel", "Joined the carrusel")),
    "carrusel_join_refused": Text(("Ingreso en el carrusel rechazado", "Join refused")),
    "carrusel_left": Text(("Mesa fuera del carrusel", "Left the carrusel")),
    "carrusel_stopped": Text(("Mesa detenida por el carrusel", "Stopped by the carrusel")),
    "carrusel_link_lost": Text(("Sin enlace con el carrusel", "Link lost")),
    "carrusel_link_back": Text(("Enlace con el carrusel", "Link there")),
    "carrusel_viewed": Text(("Lo que mostraba el visor", "What the visor showed")),
    "carrusel_decided": Text(("Decisión del carrusel", "Decision of the carrusel")),
    "carrusel_undone": Text(("Decisión del carrusel deshecha", "Decision undone by the carrusel")),
    "carrusel_claim_freed": Text(("Premio libre para declarar de nuevo", "Claim free again")),
    "awards_claimed": Text(("Premio pendiente del carrusel", "Award claimed")),
    "carrusel_deducted": Text(("Parte en un premio de otra mesa", "Share of another's award")),
    "carrusel_returned": Text(("Parte devuelta", "Share returned")),
    "shortfall_borne": Text(("Falta a cargo de la casa", "Shortfall borne by the house")),
    "carrusel_operation": Text(("Operación para el carrusel", "Operation for the carrusel")),
}
"""Every kind of event."""

PHASES: Mapping[str, Text] = {
    "closed": Text(("Mesa cerrada", "Table closed")),
    "between_hands": Text(("Entre jugadas", "Between hands")),
    "betting": Text(("Hagan juego", "Betting open")),
    "locking": Text(("Cerrando las ranuras", "Closing the slots")),
    "locked": Text(("No va más", "Betting closed")),
    "declared": Text(("Premio por confirmar", "Award to be confirmed")),
    "pending": Text(("Premio pendiente del carrusel", "Award awaits the carrusel")),
    "decided": Text(("Premio por firmar", "Award to be signed")),
    "payable": Text(("Premio por pagar", "Award to be paid")),
    "total": Text(("Total por anotar", "Total to be entered")),
}
"""Where the table stands."""

HANDS: Mapping[str, Text] = {
    "royal_flush": Text(("Escalera Real", "Royal flush")),
    "straight_flush": Text(("Escalera de Color", "Straight flush")),
    "four_of_a_kind": Text(("Póker", "Four of a kind")),
}
"""Hands that earn an award."""

LAMPS: Mapping[str, Text] = {
    "off": Text(("sin apuesta", "no bet")),
    "flashing": Text(("ficha en espera", "chip waiting")),
    "steady": Text(("apuesta", "bet")),
    "closed": Text(("cerrada", "closed")),
    "unknown": Text(("muda", "silent")),
}
"""The lamp of a box."""

DIFFERENCES: Mapping[str, Text] = {
    "other": Text(("otro resultado", "another outcome")),
    "missing": Text(("falta un resultado", "an outcome is missing")),
    "extra": Text(("sobra un resultado", "an outcome too many")),
    "refused": Text(("las reglas lo rechazan", "the rules refuse it")),
    "broken": Text(("las reglas no pueden decidirlo", "the rules cannot decide it")),
    "meter": Text(("otro acumulado", "another meter")),
}
"""How a recorded event differs from what the rules decide."""

OUTCOMES_OF_A_HAND: Mapping[str, Text] = {
    "": Text(("sin terminar", "not ended")),
    "no_awards": Text(("sin premios", "no awards")),
    "paid": Text(("con premio", "paid")),
    "voided": Text(("anulada", "voided")),
}
"""How a hand ended."""

VALIDATORS: Mapping[str, Text] = {
    "awards": Text(("El premio no es el que dan las cartas", "The award is not that of the cards")),
    "base": Text(("La base no es la que mandan las reglas", "The base is not that of the rules")),
    "batch_numbers": Text(("Falta o sobra un lote", "A batch is missing or too many")),
    "bets": Text(("Una apuesta no tiene su ficha", "A bet does not have its chip")),
    "boxes": Text(("Una casilla no es de la mesa o no podía jugar", "A box that could not play")),
    "cards": Text(("Las cartas no dan premio", "The cards earn no award")),
    "carrusel": Text(
        ("Lo que la mesa debe al carrusel no es correcto", "What it owes the carrusel is not right")
    ),
    "carrusel_chain": Text(
        (
            "La anotación del carrusel no es la que se encadenó",
            "The log's entry is not what was hashed",
        )
    ),
    "carrusel_log": Text(
        ("El registro del carrusel no cuadra", "The log of the carrusel does not add up")
    ),
    "carrusel_member": Text(
        (
            "La mesa y el registro del carrusel no dicen lo mismo",
            "The table and the log of the carrusel contradict each other",
        )
    ),
    "carrusel_signature": Text(
        ("Ningún coordinador firmó la anotación", "No coordinator signed the log's entry")
    ),
    "causes": Text(("La misma causa está dos veces", "The same cause is there twice")),
    "chain": Text(("El lote no es el que se encadenó", "The batch is not what was hashed")),
    "checkpoints": Text(("Un punto firmado no se sostiene", "A signed checkpoint does not hold")),
    "conservation": Text(("Los fondos no cuadran", "The pools do not add up")),
    "contributions": Text(("El incremento no es el debido", "The contribution is not what is due")),
    "controller": Text(
        ("La parada del controlador se cuenta mal", "How it stopped is told wrongly")
    ),
    "countdown": Text(("La cuenta de las últimas jugadas falla", "The last hands are miscounted")),
    "days": Text(("La jornada no es correcta", "The gaming day is not right")),
    "derivations": Text(
        ("La explicación no es la del pago", "The derivation tells of another payment")
    ),
    "derived": Text(
        ("Un valor derivado no sale de los sucesos", "A derived value is not that of the events")
    ),
    "disputes": Text(("Una reclamación no es correcta", "A dispute is not right")),
    "drops": Text(("El recuento no es el comparado", "The drop was compared wrongly")),
    "entries": Text(("Un asiento firmado no es correcto", "A signed entry is not right")),
    "fields": Text(
        ("A un suceso le falta o le sobra un dato", "An event lacks a field or has one too many")
    ),
    "hand_ends": Text(
        ("La jugada no terminó como se jugó", "The hand did not end as it was played")
    ),
    "hand_numbers": Text(("La numeración de jugadas falla", "The numbers of hands are wrong")),
    "integrity": Text(("El archivo está dañado", "The file is damaged")),
    "items": Text(
        ("Un aviso no se abrió o no se resolvió bien", "A notice was not opened or settled rightly")
    ),
    "kinds": Text(("Suceso desconocido", "An unknown kind of event")),
    "layouts": Text(("El cambio de paño no es correcto", "The change of layout is not right")),
    "limits": Text(("Las condiciones pasan un límite", "The terms exceed a limit")),
    "locks": Text(("El «no va más» fija otro importe", "The lock states another amount")),
    "modes": Text(("El modo no permite esa apuesta", "The mode does not allow that bet")),
    "officers": Text(("El responsable no podía hacerlo", "The officer was not allowed to")),
    "outcomes": Text(("Resultado sin hecho", "An outcome without a fact")),
    "pack": Text(("La prueba no está como se firmó", "The pack is not as it was signed")),
    "payments": Text(("Se pagó lo que no se debía", "What was paid was not owed")),
    "phases": Text(("El acto no era de ese momento", "The act came at the wrong moment")),
    "readability": Text(("No se puede leer", "It cannot be read")),
    "restarts": Text(
        ("El Jackpot no empieza con su cantidad", "The jackpot starts with another amount")
    ),
    "rules": Text(("Decidido por reglas desconocidas", "Decided by unknown rules")),
    "schema": Text(
        ("El archivo tiene más, menos u otra cosa", "More, less or other tables in the file")
    ),
    "seq_numbers": Text(("Falta o sobra un suceso", "An event is missing or too many")),
    "service": Text(("La mesa no estaba en servicio", "The table was out of service")),
    "signed_amounts": Text(("Se firmó otro importe", "Another amount was signed")),
    "slot_tests": Text(("La prueba de una ranura no es correcta", "A slot test is not right")),
    "slots": Text(("Una ranura no podía jugar", "A slot that could not play")),
    "stored_states": Text(
        ("Un estado guardado no es el firmado", "A stored state is not what was signed")
    ),
    "tail": Text(("Hasta dónde está firmado", "Up to where it is signed")),
    "terms": Text(
        ("Las condiciones no entran cuando deben", "The terms are not in force when due")
    ),
    "times": Text(("El reloj retrocedió", "The clock went back")),
    "totals": Text(("El total de la jugada no es correcto", "The total of the hand is not right")),
    "two_officers": Text(("Faltan dos firmas distintas", "Two different signatures are missing")),
    "unpaid_award": Text(("Quedaba un premio sin pagar", "An award was still unpaid")),
    "voids": Text(
        ("La anulación no devuelve lo justo", "The void does not take back the right amount")
    ),
}
"""What a finding of each validator of the checker means; docs/verify.md tells what each proves."""
