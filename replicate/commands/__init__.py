"""One module a command; each has ``register(app)`` and imports what it runs only when it runs."""
