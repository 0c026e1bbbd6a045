"""The slot board: its reference firmware in C (``board.c``, ``frame.c``), and that very code as a
simulator (``python -m firmware_sim.board``). Written from ``docs/board.md``, nothing else."""
