"""Practice sites: small applications with the difficulties of real ones.

They are served on two local ports, so that a link can lead to another origin. All data is invented
and the same in every run; nothing is sent to the network.
"""
