"""``indx serve``."""

import click


@click.command("serve")
@click.option("--host", help="Address to listen on instead of INDX_HTTP_HOST (127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on instead of INDX_HTTP_PORT (8000).")
@click.option("--allow-remote", is_flag=True, help="Let other machines reach the service. It knows no users.")
def command(host: str | None, port: int | None, *, allow_remote: bool) -> None:
    """Serve the operations over HTTP until told to stop. Its log is one JSON line a request, on stderr.

    Example: indx serve --port 8000
    """
    from indx_core.app.http.settings import HttpSettings
    from indx_core.contracts.errors import CapabilityUnavailable

    try:
        from indx_core.app.http.server import serve
    except ImportError as error:
        if (error.name or "").split(".")[0] == "indx_core":
            raise
        remedy = "install the extra `serve`"
        raise CapabilityUnavailable(f"{error.name} is not installed: {remedy}", remedy=remedy) from None
    given = {"http_host": host, "http_port": port}
    settings = HttpSettings.load().model_copy(update={name: it for name, it in given.items() if it is not None})
    serve(settings, allow_remote=allow_remote)
