"""The carrusel's outside: MQTT, the decision logs, and the process of a coordinator."""
