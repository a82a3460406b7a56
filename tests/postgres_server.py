"""A real Postgres out of the machine's own binaries, in a temporary folder, reachable over a Unix socket only.

For tests and benchmarks of Dagster's Postgres storage. Not for anything that must survive: writes are not synced.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

USER = "postgres"
"""Both the superuser of the database and, where the caller is root, the account the server runs as."""
INSTALLED = "/usr/lib/postgresql"
"""Where Debian and Ubuntu put the server's programs, outside the path."""


@dataclass(frozen=True)
class PostgresServer:
    """A running server.

    Attributes:
        folder: Data, log and socket.
        programs: Folder of ``initdb``, ``pg_ctl`` and the others.
    """

    folder: Path
    programs: Path

    def database(self, name: str) -> str:
        """Create an empty database; returns its SQLAlchemy address.

        The driver is named: SQLAlchemy 2.1 takes a plain ``postgresql://`` for psycopg 3, which dagster-postgres does
        not bring along.
        """
        self.call("createdb", "--host", str(self.folder), "--username", USER, name)
        return f"postgresql+psycopg2://{USER}@/{name}?host={self.folder}"

    def call(self, program: str, *arguments: str) -> None:
        """Run one of Postgres's programs as the account that owns the data, which must not be root."""
        owner = pwd.getpwnam(USER) if os.getuid() == 0 else None
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            extra_groups=[] if owner else None,
        )
        if done.returncode:
            raise RuntimeError(f"{program} ended with {done.returncode}: {done.stderr.strip()}")


def programs() -> Path | None:
    """Folder of the newest installed server's programs; ``None`` where there is no server."""
    found = [folder for folder in Path(INSTALLED).glob("*/bin") if (folder / "initdb").exists()]
    if found:
        return max(found, key=lambda folder: float(folder.parent.name))
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


@contextmanager
def postgres_server(where: Path) -> Iterator[PostgresServer]:
    """A server for the duration of a block.

    Args:
        where: Folder of the programs, see ``programs()``.
    """
    # A folder of its own: the server's account may not enter what a test framework made for root, and the path of a
    # Unix socket holds 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="indx-pg-"))
    server = PostgresServer(folder, where)
    data = str(folder / "data")
    try:
        if os.getuid() == 0:
            shutil.chown(folder, USER, USER)
        server.call(
            "initdb", "--pgdata", data, "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--no-sync"
        )
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c full_page_writes=off"
        server.call("pg_ctl", "start", "--wait", "--pgdata", data, "--log", str(folder / "log"), "--options", options)
        try:
            yield server
        finally:
            server.call("pg_ctl", "stop", "--wait", "--mode", "fast", "--pgdata", data)
    finally:
        shutil.rmtree(folder)
