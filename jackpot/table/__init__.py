"""ONE TABLE, pure: ``decide(state, fact) -> outcomes`` and ``evolve(state, event) -> state``."""
