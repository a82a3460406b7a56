"""The HTTP transport: the four operations of ``app/service`` behind a socket, and nothing that they do not do already.

Belongs here: bytes on a wire to a request, an answer to bytes, and what a server owes beside (limits, deadlines,
correlation, refusals). Does not: any rule about documents. Re-exports nothing, so that settings can be listed without
importing a server.
"""
