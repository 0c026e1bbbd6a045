"""The carrusel (CAN-9): messages, the log, the node at each table, the coordinator. Pure."""
