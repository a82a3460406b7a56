"""Writes the drawings of the golden cases beside this file: ``python tests/golden/dxf/make_inputs.py``.

The R12 drawing is written tag by tag, as old Japanese CAD programs do: cp932, a block with attributes, a dimension with
its rendered block. The R2000 drawing comes from ezdxf and has what R12 lacks: MTEXT, layouts, a frozen layer.
"""

import io
from pathlib import Path

from indx_core.formats.dxf.loading import library

HERE = Path(__file__).parent


def tags(*pairs: tuple[int, object]) -> str:
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def text(x: float, y: float, height: float, content: str, layer: str = "0") -> str:
    return tags((0, "TEXT"), (8, layer), (10, x), (20, y), (40, height), (1, content))


def section(name: str, content: str) -> str:
    return tags((0, "SECTION"), (2, name)) + content + tags((0, "ENDSEC"))


def block(name: str, content: str) -> str:
    return tags((0, "BLOCK"), (8, 0), (2, name), (70, 0), (10, 0), (20, 0)) + content + tags((0, "ENDBLK"), (8, 0))


def title_block_r12() -> bytes:
    header = tags((9, "$ACADVER"), (1, "AC1009"), (9, "$DWGCODEPAGE"), (3, "ANSI_932"))
    layers = tags((0, "TABLE"), (2, "LAYER"), (70, 1), (0, "LAYER"), (2, "下書き"), (70, 1), (62, 7), (0, "ENDTAB"))
    frame = tags((0, "LINE"), (8, 0), (10, 0), (20, 0), (11, 100), (21, 0)) + text(2, 4, 3, "図番")
    blocks = block("TITLE", frame) + block("*D1", text(45, 62, 4, "125", "寸法"))
    insert = tags((0, "INSERT"), (8, "枠"), (2, "TITLE"), (66, 1), (10, 100), (20, 0), (41, 1), (42, 1))
    insert += tags((0, "ATTRIB"), (8, "枠"), (10, 130), (20, 4), (40, 3), (1, "HX-2041"), (2, "図番"), (70, 0))
    insert += tags((0, "ATTRIB"), (8, "枠"), (10, 170), (20, 4), (40, 3), (1, "社外秘"), (2, "区分"), (70, 1))
    insert += tags((0, "SEQEND"), (8, "枠"))
    dimension = tags((0, "DIMENSION"), (8, "寸法"), (2, "*D1"), (70, 0), (1, ""), (10, 0), (20, 60), (11, 45), (21, 62))
    dimension += tags((13, 0), (23, 50), (14, 125), (24, 50))
    entities = (
        text(0, 120, 5, "ソケット能力表 %%c50%%p0.1") + text(0, 100, 5, "下書きメモ", "下書き") + insert + dimension
    )
    body = section("HEADER", header) + section("TABLES", layers) + section("BLOCKS", blocks)
    return (body + section("ENTITIES", entities) + tags((0, "EOF"))).encode("cp932")


def sheets_r2000() -> bytes:
    drawing = library().new("R2000")
    model = drawing.modelspace()
    model.add_mtext(
        r"{\fMS Gothic|b0;注記}\P1. 角部は C0.5\P2. 公差 \S+0.1^-0.2;",
        dxfattribs={"char_height": 5, "insert": (0, 100)},
    )
    model.add_text("回転", height=5, rotation=90, dxfattribs={"insert": (200, 0)})
    drawing.layers.add("OFF").off()
    model.add_text("off layer", height=5, dxfattribs={"layer": "OFF", "insert": (50, 50)})
    model.add_linear_dim(base=(0, -20), p1=(0, 0), p2=(120, 0)).render()
    drawing.layout("Layout1").add_text("sheet one", height=5, dxfattribs={"insert": (20, 20)})
    drawing.new_layout("部品図").add_line((0, 0), (100, 100))
    stream = io.StringIO()
    drawing.write(stream)
    return stream.getvalue().encode(drawing.encoding, "dxfreplace")


if __name__ == "__main__":
    (HERE / "title_block_r12_cp932" / "input.dxf").write_bytes(title_block_r12())
    (HERE / "sheets_r2000" / "input.dxf").write_bytes(sheets_r2000())
