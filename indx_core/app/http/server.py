"""`indx serve`: where the service listens, and the refusal to listen any wider by accident.

Belongs here: the process. Does not: what is served (``app``).
"""

import ipaddress
import logging
import signal
from collections.abc import Sequence
from types import FrameType

import uvicorn
from starlette.routing import BaseRoute

from indx_core.app.http.app import create_app
from indx_core.app.http.connection import protocol
from indx_core.app.http.engine import Engine
from indx_core.app.http.middleware import LOOPBACK_NAMES
from indx_core.app.http.settings import HttpSettings
from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.logs import log_as_json

log = logging.getLogger("indx.http")

SHUTDOWN_SECONDS = 10
"""For requests at work when the service is told to stop."""


def serve(settings: HttpSettings, *, allow_remote: bool = False, beside: Sequence[BaseRoute] = ()) -> None:
    """Serve until the process is told to stop (SIGINT or SIGTERM).

    Args:
        settings: Where and how much.
        allow_remote: Whether other machines may reach it. There is no authentication.
        beside: Further routes, see ``create_app``.

    Raises:
        SettingsInvalid: An address beyond this machine without ``allow_remote``; a setting that does not validate.
        IndxError: The workers cannot start.
    """
    hosts = allowed_hosts(settings, allow_remote=allow_remote)
    log_as_json()
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn finishes what is at work and then raises the signal again: by default that would end the process here,
        # with its workers still alive and its folder in place.
        signal.signal(number, _leave)
    with Engine(settings) as engine:
        _Server(engine, create_app(engine, hosts=hosts, beside=beside)).run()


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def allowed_hosts(settings: HttpSettings, *, allow_remote: bool) -> tuple[str, ...] | None:
    """Names the service may be addressed by; ``None`` for any.

    Raises:
        SettingsInvalid: The address is reachable from other machines and nobody said that it may be.
    """
    if is_loopback(settings.http_host):
        return settings.http_allowed_hosts or LOOPBACK_NAMES
    if not allow_remote:
        raise SettingsInvalid(
            f"INDX_HTTP_HOST: {settings.http_host} can be reached from other machines, and the service knows no users",
            remedy="listen on 127.0.0.1 behind a proxy that knows them, or say --allow-remote",
        )
    return settings.http_allowed_hosts


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own. A name other than ``localhost`` may resolve to anything."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class _Server(uvicorn.Server):
    """uvicorn with our log lines in the place of its own, and nothing of the peer believed."""

    def __init__(self, engine: Engine, app: object) -> None:
        settings = engine.settings
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type]  # Starlette's ASGIApp, which uvicorn spells in other words
                host=settings.http_host.strip("[]"),
                port=settings.http_port,
                http=protocol(settings.http_silence_seconds),
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="off",
                ws="none",
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            )
        )
        self._workers = engine.workers
        self._address = f"{settings.http_host}:{settings.http_port}"

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        try:
            await super().startup(sockets)  # type: ignore[arg-type]
        except SystemExit:  # uvicorn's own way to say so; the reason is on its log line
            reason = f"INDX_HTTP_HOST, INDX_HTTP_PORT: the service cannot listen on {self._address}"
            raise SettingsInvalid(reason, remedy="end what listens there, or choose another port") from None
        for each in self.servers:
            for listening in each.sockets:
                host, port = listening.getsockname()[:2]
                log.info("listening", extra={"facts": {"host": host, "port": port, "workers": self._workers}})
