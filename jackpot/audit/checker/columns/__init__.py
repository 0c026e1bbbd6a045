"""Whole pieces of a ledger as columns of numbers: pages, rows, shapes, lines.

``pages`` finds the leaves of a table in the file, ``rows`` reads their records as columns, ``shapes``
tells which records are alike, ``lines`` makes the very text that is hashed, and ``piece`` puts that
together. Nothing here knows a rule of the game, nor any value that came before its piece.
"""
