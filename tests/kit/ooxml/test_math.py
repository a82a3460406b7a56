"""Formulas on a line."""

import pytest
from office_builder import NAMESPACES

from indx_core.kit.ooxml.math import math_text
from indx_core.kit.ooxml.xml import parse


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r("x+1"), "x+1"),
        (f"<m:f><m:num>{r('a+b')}</m:num><m:den>{r('2')}</m:den></m:f>", "(a+b)/2"),
        (f"<m:sSup><m:e>{r('x')}</m:e><m:sup>{r('2')}</m:sup></m:sSup>", "x^2"),
        (f"<m:sSub><m:e>{r('x')}</m:e><m:sub>{r('n+1')}</m:sub></m:sSub>", "x_(n+1)"),
        (f"<m:rad><m:deg/><m:e>{r('2a')}</m:e></m:rad>", "√2a"),
        (f"<m:d><m:e>{r('a')}</m:e><m:e>{r('b')}</m:e></m:d>", "(a|b)"),
        (f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{r('1')}</m:sub><m:e>{r('i')}</m:e></m:nary>", "∑_1 i"),
        (f"<m:m><m:mr><m:e>{r('1')}</m:e><m:e>{r('0')}</m:e></m:mr><m:mr><m:e>{r('0')}</m:e></m:mr></m:m>", "[1 0; 0]"),
        (f"<m:func><m:fName>{r('sin')}</m:fName><m:e>{r('x')}</m:e></m:func>", "sin x"),
        (f"<m:box><m:e>{r('kept')}</m:e></m:box>", "kept"),
    ],
)  # fmt: skip
def test_a_formula_reads_on_one_line(formula: str, text: str) -> None:
    assert math_text(parse(f"<m:oMath {NAMESPACES}>{formula}</m:oMath>".encode(), "p")) == text
