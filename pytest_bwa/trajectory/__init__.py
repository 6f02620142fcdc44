"""The store of observations, calls, actions and verdicts (F-65, F-66); not built yet."""
