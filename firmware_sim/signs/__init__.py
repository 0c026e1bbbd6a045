"""Simulated text signs: an Alpha sign and a CD5220 pole display (``docs/simulator.md``).

Written from the protocols' descriptions alone and independent of the controller.
"""
