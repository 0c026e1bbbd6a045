"""THE LAW: cards, hands, profiles, contributions, awards. Pure; imports only the foundations."""
