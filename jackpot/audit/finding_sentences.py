"""What the checker says of a ledger, in Spanish, by the English in which it says it.

The checker knows one language and nothing of this page. A ``{hole}`` stands for what the English has
at that place: a kind of event, a box, a pool. A test holds every sentence of the checker against it.
"""

from __future__ import annotations

from collections.abc import Mapping

RECORD: Mapping[str, str] = {
    "{name} is not as the first migration made it": "{name} no es como lo creó la primera migración",
    "{name} does not belong to a ledger": "{name} no es de un registro",
    "{name} is gone": "falta {name}",
    "other migrations were applied": "se aplicaron otras migraciones",
    "the columns of {table}": "las columnas de {table}",
    "SQLite finds damage": "SQLite encuentra daños",
    "a text is no UTF-8": "un texto no es UTF-8",
    "the file cannot be read on": "el archivo no se puede seguir leyendo",
    "a batch cannot be read": "un lote no se puede leer",
    "the batch names another hand": "el lote nombra otra jugada",
    "the derived meter of {name}": "el acumulado derivado de {name}, en microcéntimos",
    "the derived source of {name}": "el último número derivado de {name}",
    "the numbers leave a gap": "falta un número",
    "decided by rules unknown here": "decidido por reglas que aquí no se conocen",
    "first_seq, events and rows disagree": "first_seq, events y las filas no concuerdan",
    "an event out of its place": "un suceso fuera de su sitio",
    "the batch is not what was hashed": "el lote no es el que se encadenó",
    "a malformed cause": "una causa mal formada",
    "the same cause twice": "la misma causa dos veces",
    "the clock went back and no step was recorded": "el reloj retrocedió y no se registró ningún salto",
    "{kind} cannot be judged": "no se puede juzgar: {kind}",
    "{kind} cannot be read": "no se puede leer: {kind}",
    "an outcome without a cause": "un resultado sin causa",
    "an unknown kind": "una clase de suceso desconocida",
    "{kind} is not what the rules say": "no es lo que dicen las reglas: {kind}",
    "{kind} is missing": "falta: {kind}",
    "{kind} follows from nothing": "no sale de ningún hecho: {kind}",
}
"""The file, its batches and events."""

CHECKPOINTS: Mapping[str, str] = {
    "no key was given, so the ledger's own is believed: compare it with the one printed at "
    "installation": "no se dio ninguna clave y se cree la del propio registro: compárela con la que "
    "se imprimió en la instalación",
    "no key was given, so the pack's own is believed: compare it with the one printed at "
    "installation": "no se dio ninguna clave y se cree la de la propia prueba: compárela con la que se "
    "imprimió en la instalación",
    "the ledger names another key": "el registro nombra otra clave",
    "the pack names another key": "la prueba nombra otra clave",
    "no usable key": "ninguna clave utilizable",
    "the ledger has another origin": "el registro tiene otro origen",
    "the note is about another batch than its row": "la nota es de otro lote que su fila",
    "the note is about another batch than its name": "la nota es de otro lote que su nombre",
    "the note was signed at another time than its row says": "la nota se firmó a otra hora que la de su fila",
    "the checkpoint signed at the creation is gone": "falta el punto que se firmó al crear el registro",
    "a {who} proves nothing": "no prueba nada {who}",
    "a {who} holds another history": "tiene otra historia {who}",
    "a {who} tells of more: the end was cut off, or a batch is gone": "sabe de más {who}: se cortó el "
    "final, o falta un lote",
    "the stored states are not those of the last checkpoints": "los estados guardados no son los de los "
    "últimos puntos firmados",
    "the stored state is not the one that was signed": "el estado guardado no es el que se firmó",
    "a stored state": "un estado guardado",
    "{state} of the stored state": "{state} en el estado guardado",
    "a checkpoint was not signed between its batches, by the clock": "según el reloj, un punto no se "
    "firmó entre sus lotes",
    "no checkpoint at {what}: the controller stopped without warning": "sin punto firmado de {what}: el "
    "controlador se paró de golpe",
    "no checkpoint at {what}": "sin punto firmado de {what}",
    "no checkpoint yet at {what}": "todavía sin punto firmado de {what}",
    "batches after the last checkpoint are not signed, and nothing in the file can tell whether "
    "still later ones were cut off: compare with checkpoints that others hold": "los lotes que siguen al "
    "último punto no están firmados, y nada en el archivo dice si se cortaron otros posteriores: "
    "compárelo con los puntos firmados que tengan otros",
}
"""Signed checkpoints, witnesses, stored states."""

PACK: Mapping[str, str] = {
    "the rows cannot be read": "las filas no se pueden leer",
    "the list of files is not what was signed": "la lista de archivos no es la que se firmó",
    "{name} is not as listed": "{name} no es como dice la lista",
    "the pack was signed by another key than the table's: ask whose it is": "la prueba se firmó con otra "
    "clave que la de la mesa: pregunte de quién es",
    "table.pem is another key": "table.pem es otra clave",
    "notes differ from rows": "las notas no son las de las filas",
    "a checkpoint proves nothing": "un punto firmado no prueba nada",
    "no signed checkpoint begins this piece": "ningún punto firmado empieza este trozo",
    "no checkpoint has signed the end of this piece yet": "ningún punto ha firmado todavía el final de "
    "este trozo",
    "a checkpoint of a batch that is not here": "un punto firmado de un lote que no está aquí",
    "this is a piece of the chain": "esto es un trozo de la cadena",
    "a checkpoint holds another history": "un punto firmado tiene otra historia",
}
"""The evidence of one hand."""

ACTS: Mapping[str, str] = {
    "{kind} without terms": "sin condiciones: {kind}",
    "{kind} of another hand": "de otra jugada: {kind}",
    "an act by somebody unknown": "un acto de alguien desconocido",
    "{officer} lacks the role": "{officer} no tiene esa función",
    "{what}: both signatures are one person's": "las dos firmas son de la misma persona: {what}",
    "{kind} with an award unpaid": "con un premio sin pagar: {kind}",
    "{kind} at the wrong moment": "en un momento que no toca: {kind}",
    "how the last run ended": "cómo acabó la ejecución anterior",
    "box {box} goes on as another acceptor": "la casilla {box} sigue con otro aceptador",
    "{what} at a table out of service": "en una mesa fuera de servicio: {what}",
    "a gaming day that is not after the last one": "una jornada que no es posterior a la última",
    "a gaming day without a date": "una jornada sin fecha",
    "{what} signs another amount than the meter's": "se firma otro importe que el del acumulado: {what}",
    "announced twice": "se anunció dos veces",
    "closed with things left open": "se cerró con cosas pendientes",
    "no such box": "no existe esa casilla",
    "nothing open has this number": "no hay nada pendiente con ese número",
    "suspended twice": "se puso fuera de servicio dos veces",
    "resumed in service": "se volvió a poner en servicio una mesa que lo estaba",
    "two tests at a time": "dos pruebas a la vez",
    "the end of no test": "el final de ninguna prueba",
    "a test's result does not fit its chips": "el resultado de la prueba no es el de sus fichas",
    "a change of mode that the policy does not allow": "un cambio de modo que la política no permite",
    "a change of mode with chips waiting": "un cambio de modo con fichas en espera",
    "back to slots that do not work": "se vuelve a ranuras que no funcionan",
    "a layout that this table has not": "un paño que esta mesa no tiene",
    "a change of layout before the day that was closed": "un cambio de paño antes de la jornada que se cerró",
    "two changes of layout in a gaming day": "dos cambios de paño en una jornada",
    "the drop of another day": "el recuento de otra jornada",
    "no number of chips": "no es un número de fichas",
    "one box counted on a day with totals": "una casilla contada en una jornada con totales",
}
"""Officers, moments, days, boxes, slots, layouts, drops."""

HANDS: Mapping[str, str] = {
    "a hand after the last one": "una jugada después de la última",
    "a hand during a slot's test": "una jugada durante la prueba de una ranura",
    "a hand with a slot out of service": "una jugada con una ranura fuera de servicio",
    "locked with chips undecided": "«no va más» con fichas sin decidir",
    "locked without a total to show": "«no va más» sin un total que mostrar",
    "a bet asserted where the slot spoke": "una apuesta afirmada donde la ranura habló",
    "a bet asserted in a box with a slot": "una apuesta afirmada en una casilla con ranura",
    "a silent box was not looked into": "no se miró una casilla muda",
    "a disputed bet in manual mode": "una apuesta reclamada en modo manual",
    "a disputed bet in a box that was not looked into": "una apuesta reclamada en una casilla que no se miró",
    "no room for a bet": "no cabe ninguna apuesta",
    "a decision on no chip": "una decisión sobre ninguna ficha",
    "a waiting chip plays": "juega una ficha en espera",
    "a waiting chip plays in a box that has its bet": "una ficha en espera juega en una casilla que ya "
    "tiene su apuesta",
    "nothing declared": "no se declaró nada",
    "a bet declared twice": "una apuesta declarada dos veces",
    "a winner without a bet": "un ganador sin apuesta",
    "a declared hand that earns nothing": "una mano declarada que no da premio",
    "two hands in one box": "dos manos en una casilla",
    "a card lies twice": "una carta está dos veces",
    "awards declared before the total": "premios declarados antes del total",
    "a total below the winning bets": "un total menor que las apuestas ganadoras",
    "a total of a hand with slots": "un total de una jugada con ranuras",
    "a total entered after the final one": "un total anotado después del firme",
    "no whole chips": "no son fichas enteras",
    "more than the boxes hold": "más de lo que cabe en las casillas",
    "no total was entered": "no se anotó ningún total",
    "another total confirmed than entered": "se confirmó otro total que el anotado",
    "a correction of a total that is not known": "la corrección de un total que no se conoce",
    "another total corrected than recorded": "se corrigió otro total que el registrado",
    "another amount signed": "se firmó otro importe",
    "paid what is not owed": "se pagó lo que no se debía",
    "a slip of what was not paid": "un comprobante de lo que no se pagó",
    "a second original of a slip": "un segundo original de un comprobante",
    "it tells of other payments": "cuenta otros pagos",
    "the sum of the payments": "la suma de los pagos",
}
"""Bets, totals, cards, awards, payments."""

MONEY: Mapping[str, str] = {
    "no profile is recorded with the terms, so their limits were not checked": "con las condiciones no se "
    "registró ningún perfil, así que no se comprobaron sus límites",
    "boxes": "número de casillas",
    "bets_per_box": "apuestas por casilla",
    "ace_low_in_straights": "el as vale también como carta baja",
    "closing_hands": "últimas jugadas",
    "award_shares_ppm": "tabla de premios, en partes por millón",
    "house_deduction_ppm": "deducción de la casa, en partes por millón",
    "bet_cents": "apuesta del Jackpot, en céntimos",
    "seed_cents": "cantidad inicial, en céntimos",
    "ceiling_cents": "tope, en céntimos",
    "jackpot_ppm and reserve_ppm": "porcentajes del Jackpot y de la reserva, en partes por millón",
    "a table minimum outside its band": "un mínimo de mesa fuera de su banda",
    "the bet is too high for this table minimum": "la apuesta es demasiado alta para este mínimo de mesa",
    "an entry without a reason": "un asiento sin motivo",
    "an entry without authorisation": "un asiento sin autorización",
    "an entry at a fixed jackpot": "un asiento en un Jackpot fijo",
    "an entry at the wrong time of the jackpot": "un asiento a destiempo para ese Jackpot",
    "an entry of no amount": "un asiento sin importe",
    "a correction of nothing": "una corrección de nada",
    "an entry takes more than the pool {pool} holds": "un asiento saca más de lo que tiene el fondo: {pool}",
    "a jackpot moves to where it is": "un Jackpot se traslada a donde ya está",
    "no end of a ledger": "no es el final de un registro",
    "a correction of a jackpot that never was": "la corrección de un Jackpot que no existió",
    "a decision taken back of which something was paid": "una decisión anulada de la que se pagó algo",
    "no such award": "no existe ese premio",
    "more comes back than was paid": "vuelve más de lo que se pagó",
    "a payment struck out that is not owed": "un pago suprimido que no se debe",
    "money came from nowhere or went nowhere: {layout}/{pool}": "vino dinero de ninguna parte o se fue a "
    "ninguna, en el paño {layout}: {pool}",
    "the pool {pool} is below zero": "el fondo está por debajo de cero: {pool}",
    "a restart": "un nuevo comienzo del Jackpot",
}
"""Terms, limits, entries, disputes, pools."""

CARRUSEL: Mapping[str, str] = {
    "a join without authorisation": "un ingreso sin autorización",
    "no name of a carrusel": "no es el nombre de un carrusel",
    "a member joins once more": "una mesa del carrusel ingresa otra vez",
    "it cannot share its prize": "no puede compartir su premio",
    "a leave without a reason": "una salida sin motivo",
    "a leave of no member": "la salida de una mesa que no está en el carrusel",
    "a claim at a table alone": "un premio pendiente en una mesa sola",
    "a claim taken back twice": "un premio pendiente retirado dos veces",
    "a claim of a hand without a view": "un premio pendiente de una jugada sin vista",
    "{what} at a member of a carrusel": "en una mesa de un carrusel: {what}",
    "{what} without the link": "sin el enlace: {what}",
    "{what} at a box that was stopped": "en un controlador detenido: {what}",
    "a hand while the membership changes": "una jugada mientras la mesa entra o sale del carrusel",
    "a hand before the carrusel was heard": "una jugada antes de oír al carrusel",
    "a batch of two stages": "un lote con dos pasos",
    "a lock without the view in its batch": "un «no va más» sin la vista en su lote",
    "a member twice in a decision": "una mesa dos veces en una decisión",
    "the base is not the sum of its parts": "la base no es la suma de sus partes",
    "another sum is taken from the members than is paid": "se toma de las mesas otra suma que la que se paga",
    "not shared out in proportion to the base": "no se repartió en proporción a la base",
    "table {table} bears more than its visor's part": "la mesa {table} aporta más que la parte de su visor",
    "table {table} gives more than its part of the base": "la mesa {table} da más que su parte de la base",
    "a seed at table {table} without a restart": "una cantidad inicial en la mesa {table} sin que el "
    "Jackpot vuelva a empezar",
    "the payments of a decision": "los pagos de una decisión",
    "the sum of the payments of a decision": "la suma de los pagos de una decisión",
    "house, from the base, from the seeds": "la casa, de la base, de las cantidades iniciales",
}
"""A carrusel, as one of its tables has it."""

LOG: Mapping[str, str] = {
    "the entries do not follow one another": "las anotaciones no se siguen una a otra",
    "an entry that cannot be read": "una anotación que no se puede leer",
    "the entry is not what was hashed": "la anotación no es la que se encadenó",
    "the author signed the entry": "el autor firmó la anotación",
    "an entry of an unknown kind": "una anotación de clase desconocida",
    "goes on in another store": "sigue en otro archivo",
    "a log opens once, or goes on from another": "un registro empieza una vez, o sigue a otro",
    "a coordinator is admitted by two officers": "a un coordinador lo admiten dos responsables",
    "a table joins by two officers": "una mesa ingresa con dos responsables",
    "the log's meter stands when a box comes back": "vale el acumulado del registro cuando vuelve un "
    "controlador",
    "a table brings the meter that it offers": "una mesa trae el acumulado que ofrece",
    "incarnations only grow": "los números de ingreso solo crecen",
    "operations of the present incarnation": "operaciones del ingreso actual",
    "only the exact successor": "solo la operación que sigue",
    "a table takes its own meter along": "una mesa se lleva su propio acumulado",
    "table {table} was stopped": "la mesa {table} fue detenida",
    "an undoing has the shares of what it undoes": "lo que deshace una decisión tiene las partes de esta",
    "decisions are numbered without a gap": "las decisiones se numeran sin huecos",
    "what all tables give is what is paid": "lo que dan todas las mesas es lo que se paga",
    "the payments are what is paid": "los pagos son lo que se paga",
    "the base is the sum of the tables'": "la base es la suma de las mesas",
    "the view of table {table}": "la vista de la mesa {table}",
    "the base of table {table}": "la base de la mesa {table}",
    "conservation over all tables": "nada se pierde entre todas las mesas",
    "{file} cannot be read": "{file} no se puede leer",
    "{file}: never a member": "{file}: nunca estuvo en el carrusel",
    "no ledger was given": "no se dio ningún registro de mesa",
    "table {table}": "mesa {table}",
    "table {table}: {says}": "mesa {table}: {says}",
    "the ledger's key is the one that joined": "la clave del registro es la que ingresó",
    "the batch of a join is in the ledger": "el lote de un ingreso está en el registro",
    "operation {number} is as the log holds it: else the ledger was rewritten or cut": "la operación "
    "{number} es como la tiene el carrusel; si no, el registro se reescribió o se cortó",
    "the meter is what the log and the ledger's own operations say": "el acumulado es el que dicen el "
    "carrusel y las operaciones del propio registro",
    "decision {decision} is the log's own": "la decisión {decision} es la del propio carrusel",
    "decisions are applied in order": "las decisiones se aplican en orden",
}
"""A carrusel's log, and the ledgers of its tables against it."""

SENTENCES: Mapping[str, str] = {
    **RECORD,
    **CHECKPOINTS,
    **PACK,
    **ACTS,
    **HANDS,
    **MONEY,
    **CARRUSEL,
    **LOG,
}
"""Every sentence."""
