"""A real Redis on a free port of this machine, in memory alone: the broker of Celery in tests of distributed runs."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager


def program() -> str | None:
    """The installed server; ``None`` where there is none."""
    return shutil.which("redis-server")


@contextmanager
def redis_server(where: str) -> Iterator[str]:
    """The address of a server for the duration of a block, ``redis://127.0.0.1:<port>``.

    Args:
        where: The program, see ``program()``.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
        process = subprocess.Popen([where, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(200):
                assert process.poll() is None, "redis-server ended at once"
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                except OSError:
                    time.sleep(0.05)
                else:
                    break
            yield f"redis://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(10)
