"""Laying a column of vertical writing out as a horizontal line, with blocks of ink instead of characters."""

import numpy as np
import pytest

pytest.importorskip("cv2")

from indx_core.engines.ocr_rapid.vertical import laid_out, plain_text


def column(count: int, pitch: int = 40, width: int = 48, size: int = 30) -> np.ndarray:
    """A white column of black squares, one a character."""
    pixels = np.full((count * pitch, width, 3), 255, dtype=np.uint8)
    left = (width - size) // 2
    for i in range(count):
        top = i * pitch + (pitch - size) // 2
        pixels[top : top + size, left : left + size] = 0
    return pixels


def islands(line: np.ndarray) -> list[tuple[int, int]]:
    """Where ink starts and ends along a line."""
    inked = (line.min(axis=2) < 128).any(axis=0).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked, [0]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def test_every_character_of_a_column_stands_in_the_line_once():
    (line,) = laid_out([column(20)])
    assert line.shape[1] > line.shape[0]
    assert len(islands(line)) == 20


def test_columns_of_a_page_share_one_pitch_the_short_ones_included():
    """Two characters alone say nothing of their distance; the page does."""
    lines = laid_out([column(20), column(2)])
    assert [len(islands(line)) for line in lines] == [20, 2]


def test_a_column_in_larger_type_has_its_own_pitch():
    lines = laid_out([column(20), column(20), column(20), column(6, pitch=80, width=96, size=60)])
    assert len(islands(lines[3])) == 6


def test_light_characters_on_a_dark_ground_are_characters_too():
    (line,) = laid_out([255 - column(12)])
    assert len(islands(255 - line)) == 12


def test_a_full_stop_goes_from_the_upper_right_to_the_base_line_on_the_left():
    """Where horizontal setting has it; left at the upper right, the recogniser reads a degree sign or nothing."""
    pixels = column(9)
    pixels[4 * 40 : 5 * 40] = 255
    pixels[4 * 40 + 4 : 4 * 40 + 12, 32:40] = 0
    (line,) = laid_out([pixels])
    start, end = islands(line)[4]
    rows = np.flatnonzero((line[:, start:end].min(axis=2) < 128).any(axis=1))
    assert rows.mean() > 0.6 * len(line)


def test_a_corner_bracket_is_set_upright_again():
    """Vertical setting lays 「 on its side, its long stroke across: it must stand, its long stroke down, in the line."""
    pixels = column(9)
    pixels[4 * 40 : 5 * 40] = 255
    pixels[4 * 40 + 24 : 4 * 40 + 27, 14:34] = 0
    pixels[4 * 40 + 24 : 4 * 40 + 34, 31:34] = 0
    (line,) = laid_out([pixels])
    start, end = islands(line)[4]
    rows = np.flatnonzero((line[:, start:end].min(axis=2) < 128).any(axis=1))
    assert rows[-1] - rows[0] > end - start


@pytest.mark.parametrize("pixels", [np.full((200, 48, 3), 255, np.uint8), np.zeros((1, 1, 3), np.uint8)])
def test_a_column_without_ink_is_given_back(pixels: np.ndarray):
    (line,) = laid_out([pixels])
    assert line.size


def test_a_page_without_columns_has_no_lines():
    assert laid_out([]) == []


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ("デ１タ", "データ"),
        ("コ|ポレIション", "コーポレーション"),
        ("第1章", "第1章"),
        ("バ10", "バ10"),
        ("した°", "した。"),
    ],
)
def test_a_stroke_after_katakana_is_the_long_vowel_mark(read: str, said: str):
    assert plain_text(read) == said
