"""What works here, what does not, and what to do about it: the answers of ``indx doctor``.

Belongs here: looking at the installation, the settings and the places they name. Does not: repairing anything, and the
network: what is in a bucket, or behind an API, is not asked. Other distributions add checks of their own by the
entry-point group ``indx.checks``: a function without arguments that returns ``Check`` objects.
"""
