"""The Dagster instance a command works on, and the environment Dagster itself reads.

The only module that touches Dagster's own variables. They are set before Dagster is imported, by every launch command
of ours: telemetry off, planned events of a run as one per asset, and event writes in batches.
"""

import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from indx_core.contracts.errors import SettingsInvalid

if TYPE_CHECKING:
    from dagster import DagsterInstance
    from dagster._core.instance.ref import InstanceRef

CHECKOUT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {
    "DAGSTER_DISABLE_TELEMETRY": "1",
    "DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS": "1",
    "DAGSTER_EVENT_BATCH_SIZE": "500",
}
"""One planned event per asset instead of one per partition, and batched writes: 17-30 times less CPU on Postgres."""

_ATTEMPTS = 10
_BETWEEN_SECONDS = 0.5


def home_folder() -> Path:
    """Where the instance is, or will be: ``DAGSTER_HOME`` when it is set, else ``.dagster`` of the checkout."""
    named = os.environ.get("DAGSTER_HOME")  # noqa: TID251 - Dagster's own variable, see above
    return Path(named) if named else CHECKOUT / ".dagster"


def prepare_home() -> Path:
    """Make sure that there is an instance, and set what Dagster reads.

    A new home gets the checkout's ``dagster.yaml``, so that telemetry is off wherever the instance was started.
    """
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)  # noqa: TID251 - Dagster's own variables, see above
    home = home_folder()
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not (home / "dagster.yaml").exists():
            # Aside and renamed: whoever opens the instance at this moment must not read the first half of it.
            aside = home / f".dagster-{secrets.token_hex(4)}.yaml"
            shutil.copy(CHECKOUT / "dagster.yaml", aside)
            aside.replace(home / "dagster.yaml")
    except OSError as error:
        reason = f"DAGSTER_HOME cannot be written to: {error.strerror}"
        raise SettingsInvalid(reason, remedy="name a folder that exists or can be made") from None
    os.environ["DAGSTER_HOME"] = str(home.resolve())  # noqa: TID251 - as above
    return home


def open_instance() -> "DagsterInstance":
    """The instance for runs in this very process: that of the home, without capture of stdout and stderr.

    Capturing redirects the terminal while a step runs, which hides the progress bar, and keeps a helper process that
    prints a traceback at Ctrl-C. Runs that the daemon starts keep their captured logs.
    """
    from dagster._core.instance.ref import InstanceRef

    silent = {"module": "dagster._core.storage.noop_compute_log_manager", "class": "NoOpComputeLogManager"}
    home = prepare_home()
    with _alone(home):
        return _opened(InstanceRef.from_dir(str(home), overrides={"compute_logs": silent}))


def _opened(ref: "InstanceRef") -> "DagsterInstance":
    """The instance, whose tables another host may be making in the same database at this moment.

    Dagster (1.13.27) tries again after one of the errors that Postgres has for this, and not after the others: of 20
    commands that opened five new databases by fours, two failed. A schema is made in one transaction, so who comes
    second finds all of it or none.
    """
    from dagster import DagsterInstance
    from sqlalchemy.exc import IntegrityError, ProgrammingError

    for _ in range(_ATTEMPTS):
        try:
            return DagsterInstance.from_ref(ref)
        except (IntegrityError, ProgrammingError):
            time.sleep(_BETWEEN_SECONDS)
    return DagsterInstance.from_ref(ref)


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Let one process of this machine at a time open the instance: Dagster makes a new one's tables without a lock.

    Of 18 processes that opened six new instances by threes at the same moment, four failed ("more than one head").
    """
    with (home / ".opening").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
