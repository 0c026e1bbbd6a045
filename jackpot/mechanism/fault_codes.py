"""What an acceptor's error codes mean (ccTalk v4.7, part 3, tables 2 and 3), in two languages.

Only a credit is a bet: none of these ever is. ``fraud`` is a sign of fraud; ``jam`` takes the slot
out of service until it has been seen to; ``self_check`` makes the host ask header 232 until it is
clean (not after a mere reject, which says nothing about the mechanism).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ToDo(Enum):
    """What people do about a code: ``(English, Spanish)``."""

    HAND_BACK = (
        "Hand the chip back; it was not accepted.",
        "Devuelva la ficha; no ha sido aceptada.",
    )
    ONE_AT_A_TIME = (
        "Let the player put chips in one at a time.",
        "Pida que las fichas se introduzcan de una en una.",
    )
    CLEAR_JAM = (
        "Close the box, clear the slot, then wait for a clean self-check.",
        "Cierre la casilla, desatasque la ranura y espere una autocomprobación correcta.",
    )
    LOOK_FOR_FRAUD = (
        "Call the table chief: look at the slot and at the player.",
        "Avise al jefe de mesa: observe la ranura y al jugador.",
    )
    CALL_TECHNICIAN = (
        "Call the technician; close the box if it comes again.",
        "Avise al técnico; cierre la casilla si se repite.",
    )
    CHECK_SETTINGS = (
        "Call the technician: the acceptor is set up wrongly.",
        "Avise al técnico: el selector está mal configurado.",
    )
    FIND_CHIP = (
        "Look for the chip; the console shows the box.",
        "Busque la ficha; la consola indica la casilla.",
    )

    @property
    def en(self) -> str:
        """In English."""
        return self.value[0]

    @property
    def es(self) -> str:
        """In Spanish."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class FaultCode:
    """One error code of the reply to header 229."""

    code: int
    en: str
    es: str
    to_do: ToDo
    fraud: bool = False
    jam: bool = False
    self_check: bool = True


_TABLE = (
    FaultCode(1, "Rejected coin", "Ficha rechazada", ToDo.HAND_BACK, self_check=False),
    FaultCode(2, "Inhibited coin", "Ficha inhibida", ToDo.HAND_BACK, self_check=False),
    FaultCode(
        3, "Multiple window", "Ficha ambigua (varias ventanas)", ToDo.HAND_BACK, self_check=False
    ),
    FaultCode(
        4, "Wake-up timeout", "Tiempo agotado en el sensor de entrada", ToDo.CLEAR_JAM, jam=True
    ),
    FaultCode(5, "Validation timeout", "Tiempo agotado en la validación", ToDo.CLEAR_JAM, jam=True),
    FaultCode(
        6,
        "Credit sensor timeout",
        "Tiempo agotado en el sensor de crédito",
        ToDo.CLEAR_JAM,
        jam=True,
    ),
    FaultCode(
        7,
        "Sorter opto timeout",
        "Tiempo agotado en la salida del clasificador",
        ToDo.CLEAR_JAM,
        jam=True,
    ),
    FaultCode(
        8,
        "Second close coin",
        "Segunda ficha demasiado próxima",
        ToDo.ONE_AT_A_TIME,
        self_check=False,
    ),
    FaultCode(
        9,
        "Accept gate not ready",
        "Compuerta de aceptación no preparada",
        ToDo.ONE_AT_A_TIME,
        self_check=False,
    ),
    FaultCode(
        10,
        "Credit sensor not ready",
        "Sensor de crédito no preparado",
        ToDo.ONE_AT_A_TIME,
        self_check=False,
    ),
    FaultCode(
        11, "Sorter not ready", "Clasificador no preparado", ToDo.ONE_AT_A_TIME, self_check=False
    ),
    FaultCode(
        12,
        "Rejected coin not cleared",
        "Ficha rechazada sin retirar",
        ToDo.ONE_AT_A_TIME,
        self_check=False,
    ),
    FaultCode(
        13, "Validation sensor not ready", "Sensor de validación no preparado", ToDo.CALL_TECHNICIAN
    ),
    FaultCode(14, "Credit sensor blocked", "Sensor de crédito bloqueado", ToDo.CLEAR_JAM, jam=True),
    FaultCode(
        15, "Sorter opto blocked", "Salida del clasificador bloqueada", ToDo.CLEAR_JAM, jam=True
    ),
    FaultCode(
        16, "Credit sequence error", "Secuencia de crédito errónea", ToDo.LOOK_FOR_FRAUD, fraud=True
    ),
    FaultCode(17, "Coin going backwards", "Ficha en retroceso", ToDo.LOOK_FOR_FRAUD, fraud=True),
    FaultCode(
        18,
        "Coin too fast over the credit sensor",
        "Ficha demasiado rápida en el sensor de crédito",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(
        19,
        "Coin too slow over the credit sensor",
        "Ficha demasiado lenta en el sensor de crédito",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(20, "Coin on string", "Ficha con hilo", ToDo.LOOK_FOR_FRAUD, fraud=True),
    FaultCode(
        21,
        "Dual entry opto timeout",
        "Tiempo agotado en la doble entrada",
        ToDo.CLEAR_JAM,
        jam=True,
    ),
    FaultCode(
        22,
        "Dual entry opto not seen",
        "Ficha no vista en la doble entrada",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(
        23,
        "Credit sensor reached too early",
        "Sensor de crédito alcanzado antes de tiempo",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(
        24,
        "Repeated rejects in sequence",
        "Rechazos repetidos seguidos",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(25, "Slug rejected", "Ficha falsa rechazada", ToDo.LOOK_FOR_FRAUD, fraud=True),
    FaultCode(26, "Reject sensor blocked", "Sensor de rechazo bloqueado", ToDo.CLEAR_JAM, jam=True),
    FaultCode(27, "Games overload", "Exceso de partidas", ToDo.CHECK_SETTINGS, self_check=False),
    FaultCode(
        28,
        "Meter pulses exceeded",
        "Exceso de impulsos de contador",
        ToDo.CHECK_SETTINGS,
        self_check=False,
    ),
    FaultCode(
        29,
        "Accept gate open, should be closed",
        "Compuerta abierta, debería estar cerrada",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(
        30,
        "Accept gate closed, should be open",
        "Compuerta cerrada, debería estar abierta",
        ToDo.CALL_TECHNICIAN,
    ),
    FaultCode(
        31, "Manifold opto timeout", "Tiempo agotado en el distribuidor", ToDo.CLEAR_JAM, jam=True
    ),
    FaultCode(32, "Manifold opto blocked", "Distribuidor bloqueado", ToDo.CLEAR_JAM, jam=True),
    FaultCode(33, "Manifold not ready", "Distribuidor no preparado", ToDo.CLEAR_JAM, jam=True),
    FaultCode(
        34,
        "Security status changed",
        "Cambio del estado de seguridad",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(35, "Motor exception", "Fallo del motor", ToDo.CLEAR_JAM, jam=True),
    FaultCode(36, "Swallowed coin", "Ficha tragada sin crédito", ToDo.FIND_CHIP, fraud=True),
    FaultCode(
        37,
        "Coin too fast over the validation sensor",
        "Ficha demasiado rápida en la validación",
        ToDo.HAND_BACK,
        self_check=False,
    ),
    FaultCode(
        38,
        "Coin too slow over the validation sensor",
        "Ficha demasiado lenta en la validación",
        ToDo.LOOK_FOR_FRAUD,
        fraud=True,
    ),
    FaultCode(39, "Coin sorted wrongly", "Ficha mal clasificada", ToDo.FIND_CHIP),
    FaultCode(
        40, "External light attack", "Ataque con luz externa", ToDo.LOOK_FOR_FRAUD, fraud=True
    ),
    FaultCode(
        253,
        "Data block request",
        "Petición de bloque de datos",
        ToDo.CHECK_SETTINGS,
        self_check=False,
    ),
    FaultCode(
        254,
        "Coin return mechanism activated",
        "Palanca de devolución accionada",
        ToDo.CALL_TECHNICIAN,
    ),
    FaultCode(255, "Unspecified alarm", "Alarma no especificada", ToDo.CALL_TECHNICIAN),
)
_BY_CODE = {row.code: row for row in _TABLE}

_INHIBITED = 2
_INHIBITED_FIRST, _INHIBITED_LAST = 128, 159
"""Codes 128 to 159: a true coin in position 1 to 32, kept out by the inhibit mask."""

SELF_CHECK_CLEAN = 0

_SELF_CHECK_FAULTS = {
    1: ("EEPROM checksum corrupted", "suma de control de la EEPROM errónea"),
    2: ("fault on inductive coils", "fallo de las bobinas inductivas"),
    3: ("fault on credit sensor", "fallo del sensor de crédito"),
    4: ("fault on piezo sensor", "fallo del sensor piezoeléctrico"),
    5: ("fault on reflective sensor", "fallo del sensor reflectante"),
    6: ("fault on diameter sensor", "fallo del sensor de diámetro"),
    7: ("fault on wake-up sensor", "fallo del sensor de entrada"),
    8: ("fault on sorter exit sensors", "fallo de los sensores de salida del clasificador"),
    9: ("NVRAM checksum corrupted", "suma de control de la NVRAM errónea"),
    17: ("coin auditing error", "error de contabilidad de monedas"),
    18: ("fault on reject sensor", "fallo del sensor de rechazo"),
    19: ("fault on coin return mechanism", "fallo del mecanismo de devolución"),
    20: ("fault on coin-on-string mechanism", "fallo del detector de hilo"),
    21: ("fault on rim sensor", "fallo del sensor de canto"),
    22: ("fault on thermistor", "fallo del termistor"),
    30: ("ROM checksum mismatch", "suma de control de la ROM errónea"),
    33: ("supply voltage outside limits", "tensión de alimentación fuera de límites"),
    34: ("temperature outside limits", "temperatura fuera de límites"),
    35: ("dual coin entry fault", "fallo de la doble entrada"),
    40: ("RAM test failed", "fallo de la prueba de RAM"),
    41: ("fault on string sensor", "fallo del sensor de hilo"),
    42: ("accept gate failed open", "compuerta de aceptación averiada, abierta"),
    43: ("accept gate failed closed", "compuerta de aceptación averiada, cerrada"),
    49: ("fault on opto sensor", "fallo de un sensor óptico"),
    51: ("door open", "puerta abierta"),
    52: ("microswitch fault", "fallo de un microinterruptor"),
    54: ("firmware error", "error de firmware"),
    55: ("initialisation error", "error de inicialización"),
    56: ("supply current outside limits", "corriente de alimentación fuera de límites"),
    255: ("unspecified fault", "avería no especificada"),
}


def fault_code(code: int) -> FaultCode:
    """What error ``code`` (1 to 255) means; codes without a meaning say so and call for help."""
    if _INHIBITED_FIRST <= code <= _INHIBITED_LAST:
        coin = code - _INHIBITED_FIRST + 1
        return FaultCode(
            code,
            f"Inhibited coin {coin}",
            f"Moneda {coin} inhibida",
            ToDo.HAND_BACK,
            self_check=False,
        )
    row = _BY_CODE.get(code)
    if row is not None:
        return row
    return FaultCode(
        code, f"Unknown error {code}", f"Error desconocido {code}", ToDo.CALL_TECHNICIAN
    )


def says_inhibited(code: int, position: int) -> bool:
    """Whether ``code`` may mean that a coin in ``position`` was kept out by an inhibit: code 2 does
    not say which coin, 128 and more do."""
    return code in (_INHIBITED, _INHIBITED_FIRST + position - 1)


def known_codes() -> tuple[FaultCode, ...]:
    """Every code of table 2 that has a line of its own, in order."""
    return _TABLE


def self_check_text(fault: int) -> tuple[str, str]:
    """The answer to header 232 in English and Spanish; table 3, as far as it is about acceptors."""
    if fault == SELF_CHECK_CLEAN:
        return ("no fault", "sin averías")
    return _SELF_CHECK_FAULTS.get(fault, (f"fault {fault}", f"avería {fault}"))
