"""Model files on this machine: where they are, and whether missing ones may be fetched.

What belongs here: finding files and loading what several lanes share. What does not: running a model; lanes do.
"""
