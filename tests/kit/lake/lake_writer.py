"""A process that writes to the lake of its environment: one document of its own after the other, and a shared one.

Run as ``python lake_writer.py NAME COUNT``. Every row of one write of the shared document carries the same text, so that
whoever reads it can tell half of one write from half of another.
"""

import sys

from kit.lake.table_rows import chunk, chunks

from indx_core.kit.lake import Lake, encode_table

ROWS = 40


def main(name: str, count: int) -> None:
    lake = Lake.open()
    for number in range(count):
        own = f"c/{name}-{number}"
        lake.write("chunks", own, encode_table(chunks(chunk(own, text=name))))
        shared = chunks(*(chunk("c/shared", row, f"{name}-{number}") for row in range(ROWS)))
        lake.write("chunks", "c/shared", encode_table(shared))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
