"""What a command costs before it does anything: CPU seconds of ``indx --help`` and of planning a one-page PDF.

    python benchmarks/bench_startup.py [--repeat 7]

Each is a process of its own, as a shell starts it; counted are its user and system seconds. Byte code is compiled
before the first counted turn, as it is where indx is installed, whatever the environment says about keeping it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from measured import Number, cpu_seconds, load, median_of, show, write_pdf

REPEAT = 7


def numbers(repeat: int = REPEAT) -> Iterator[Number]:
    """Process time of each command."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.pdf"
        write_pdf(page, 1)
        yield median_of("indx --help", turns(("--help",), folder, repeat), "CPU s", 0.3, load())
        plan = turns(("plan", str(page)), folder, repeat)
        yield median_of("indx plan, a one-page PDF", plan, "CPU s", 0.8, load())
    yield median_of("an interpreter that does nothing", _seconds((sys.executable, "-c", "pass"), ".", repeat), "CPU s")


def turns(arguments: Sequence[str], folder: str, repeat: int) -> list[float]:
    return _seconds((str(Path(sys.executable).with_name("indx")), *arguments), folder, repeat)


def _seconds(command: Sequence[str], folder: str, repeat: int) -> list[float]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # noqa: TID251
    environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir(), "indx-bench-bytecode"))
    found = []
    for _ in range(repeat + 1):
        started = cpu_seconds()
        subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
        found.append(cpu_seconds() - started)
    return found[1:]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=REPEAT)
    show(numbers(parser.parse_args().repeat))
