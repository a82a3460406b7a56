"""The ``indx`` command. JSON on stdout in a pipe or with ``--json``, a readable form on a terminal; errors on stderr.

Belongs here: arguments, rendering, exit codes. Does not: any operation. Commands are imported when they are called, and
other distributions add theirs by the entry-point group ``indx.commands``.
"""

from indx_core.app.cli.main import main

__all__ = ["main"]
