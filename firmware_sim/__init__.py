"""The simulated mechanism: seven ccTalk coin acceptors on one wire behind a pseudo terminal.

Written from the ccTalk Generic Specification v4.7 alone and sharing nothing with ``jackpot``, so
that a misreading of the specification cannot hide on both sides of the wire. The manual is
``docs/simulator.md``.
"""
