"""A dictionary of a few words in the form of MeCab's sources, for the lane that compiles one."""

from pathlib import Path

_ENTRIES = [
    ("任天堂", "名詞,固有名詞,組織,*"),
    ("株式会社", "名詞,一般,*,*"),
    ("は", "助詞,係助詞,*,*"),
    ("京都", "名詞,固有名詞,地域,一般"),
    ("市", "名詞,接尾,地域,*"),
    ("の", "助詞,連体化,*,*"),
    ("山田", "名詞,固有名詞,人名,姓"),
    ("太郎", "名詞,固有名詞,人名,名"),
    ("と", "助詞,並立助詞,*,*"),
]
_CHARACTERS = """\
DEFAULT 0 1 0
SPACE 0 1 0
KANJI 0 0 2
HIRAGANA 0 1 2
KATAKANA 1 1 2
ALPHA 1 1 0
0x0020 SPACE
0x0041..0x005A ALPHA
0x0061..0x007A ALPHA
0x3041..0x309F HIRAGANA
0x30A1..0x30FF KATAKANA
0x4E00..0x9FFF KANJI
"""
_KINDS = ("DEFAULT", "SPACE", "KANJI", "HIRAGANA", "KATAKANA", "ALPHA")


def write(folder: Path, encoding: str = "euc_jp") -> Path:
    folder.mkdir()
    known = (f"{surface},0,0,100,{tags},*,*,{surface},*,*\n" for surface, tags in _ENTRIES)
    (folder / "Noun.csv").write_text("".join(known), encoding=encoding)
    (folder / "matrix.def").write_text("1 1\n0 0 0\n", encoding=encoding)
    (folder / "char.def").write_text(_CHARACTERS, encoding=encoding)
    unknown = (f"{kind},0,0,9000,名詞,一般,*,*,*,*,*\n" for kind in _KINDS)
    (folder / "unk.def").write_text("".join(unknown), encoding=encoding)
    return folder
