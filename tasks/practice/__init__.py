"""Practice sites: five small applications with the difficulties that real ones have.

They are served on two ports of this machine, so that a link can lead to another origin. Everything
is made up and deterministic; nothing leaves the machine.
"""
