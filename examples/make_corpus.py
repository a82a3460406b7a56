"""Makes the sample corpus ``examples/corpus``: the papers of an invented trading company, in Japanese and English.

Every kind of page that the first formats know is here once, small enough to commit. The same bytes come out of every
run with the packages of ``constraints.txt``: no clock, no random number. All names, numbers and addresses are invented.

Run from the repository's root, with the Debian package ``fonts-ipaexfont-gothic`` installed:
``.venv/bin/python examples/make_corpus.py [FOLDER]``
"""

import csv
import io
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

FONT_FILE = Path("/usr/share/fonts/opentype/ipaexfont-gothic/ipaexg.ttf")
FONT = "IPAexGothic"
MARGIN_POINTS = 56
SCAN_DPI = 200

REPORT_SUMMARY = (
    "当四半期の売上高は4億8,250万円(前年同期比6.4%増)、営業利益は3,120万円(同11.2%増)となりました。"
    "包装資材の需要が堅調に推移したほか、物流拠点の集約により配送費が減少しました。通期の業績予想は据え置きます。"
)
REPORT_TABLE = (
    ("事業部門", "売上高(百万円)", "前年同期比", "営業利益(百万円)"),
    ("包装資材", "218.4", "+9.1%", "17.6"),
    ("食品原料", "164.9", "+4.2%", "9.3"),
    ("業務用機器", "99.2", "+3.8%", "4.3"),
    ("合計", "482.5", "+6.4%", "31.2"),
)
REPORT_COLUMNS = (
    (
        "1. 包装資材",
        "再生紙を用いた緩衝材が前年の約1.5倍に伸びました。通信販売向けの小型箱は、翌日出荷への切り替えが寄与しました。",
    ),
    ("2. 食品原料", "小麦粉と砂糖の価格改定を7月に実施しました。在庫日数は38日から31日に短縮しています。"),
    ("3. 業務用機器", "保守契約の更新率は94%です。部品の納期は平均12日で、前四半期より4日短くなりました。"),
    ("4. 物流", "川崎倉庫を閉鎖し、横浜倉庫に統合しました。移転に伴う費用820万円を特別損失に計上しています。"),
    ("5. 人員", "従業員数は146名(前期末比3名増)です。夜間シフトの自動化により、残業時間は月平均14時間に減りました。"),
    ("6. 今後の見通し", "第3四半期は年末商戦に向けた包装資材の受注増を見込みます。為替の前提は1ドル=148円です。"),
)
REPORT_ENGLISH = """
Revenue for the second quarter of fiscal 2026 was 482.5 million yen, up 6.4 percent on the same quarter a year earlier.
Operating profit rose 11.2 percent to 31.2 million yen. Packaging led the growth; freight costs fell after the Kawasaki
warehouse was merged into Yokohama.

The full-year forecast is unchanged: revenue of 1.98 billion yen and operating profit of 124 million yen. The interim
dividend is 12 yen per share, payable on 5 December 2026.

Risks: the price of recycled paper, the exchange rate, and the delivery times of parts for kitchen equipment.
"""
INVOICE_LINES = (
    ("品名", "数量", "単価", "金額"),
    ("段ボール箱 60サイズ", "1,200", "¥48", "¥57,600"),
    ("緩衝材 再生紙 30m巻", "80", "¥620", "¥49,600"),
    ("梱包用テープ 50mm", "240", "¥135", "¥32,400"),
    ("小計", "", "", "¥139,600"),
    ("消費税(10%)", "", "", "¥13,960"),
    ("合計", "", "", "¥153,560"),
)
DELIVERY_NOTE = (
    (64, "納 品 書"),
    (34, "納品番号 DN-2026-0931"),
    (34, "納品日 2026年9月18日"),
    (40, "北浜ホテル株式会社 御中"),
    (34, "下記のとおり納品いたしました。"),
    (34, "段ボール箱 60サイズ    1,200 箱"),
    (34, "緩衝材 再生紙 30m巻      80 巻"),
    (34, "梱包用テープ 50mm       240 個"),
    (34, "Received in good condition."),
    (34, "受領者 佐々木   検品 済"),
)
MINUTES = (
    """定例会議 議事録

日時: 2026年9月14日(月) 10:00-11:20
場所: 横浜本社 第2会議室
出席: 高橋(営業部長)、佐藤(購買)、鈴木(物流)、Emma Clarke (Overseas Sales)

議題
1. 横浜倉庫への統合後の状況
2. 再生紙緩衝材の値上げ
3. 年末商戦の出荷計画

1. 横浜倉庫への統合後の状況
誤出荷率は0.12%で、統合前の0.31%から下がった。夜間の仕分けは10月から自動化する。
""",
    """2. 再生紙緩衝材の値上げ
仕入先から11月納品分より8%の値上げを通知された。販売価格への転嫁は4%にとどめ、残りは梱包の標準化で吸収する。

3. 年末商戦の出荷計画
12月第2週の出荷は一日あたり4,800個を見込む。臨時便を3便追加する。

決定事項
- 価格改定の案内を9月30日までに送付する(担当: 佐藤)
- 臨時便の契約を10月9日までに締結する(担当: 鈴木)
""",
    """Summary for Overseas Sales

The merged Yokohama warehouse ships with fewer errors than before (0.12 % against 0.31 %).
Recycled paper cushioning will cost 8 % more from November; customers will be asked to pay 4 % more.
Three extra trucks are booked for the second week of December.

Next meeting: 12 October 2026, 10:00.
""",
)
TRAVEL_RULES = """出張旅費規程(2026年4月改定)

第1条(目的)
この規程は、従業員が業務のため出張する場合の旅費について定める。

第2条(日当)
日帰り出張の日当は2,000円、宿泊を伴う出張の日当は1日につき3,500円とする。

第3条(宿泊費)
宿泊費は1泊12,000円を上限とし、実費を支給する。ただし東京都区部は15,000円を上限とする。

第4条(精算)
出張者は、帰着後7日以内に領収書を添えて精算しなければならない。
"""
PRICE_LIST = (
    ("品番", "品名", "単位", "単価(税抜)", "備考"),
    ("BX-060", "段ボール箱 60サイズ", "箱", "48", "100箱単位"),
    ("BX-080", "段ボール箱 80サイズ", "箱", "66", "100箱単位"),
    ("BX-100", "段ボール箱 100サイズ", "箱", "92", "50箱単位"),
    ("CU-030", "緩衝材 再生紙 30m巻", "巻", "620", "2026年11月より645円"),
    ("CU-100", "緩衝材 再生紙 100m巻", "巻", "1,880", "2026年11月より1,955円"),
    ("TP-050", "梱包用テープ 50mm", "個", "135", "茶色、透明"),
    ("LB-A4", "宛名ラベル A4 12面", "冊", "980", '"簡易再剥離"タイプ'),
    ("ST-500", "ストレッチフィルム 500mm", "本", "1,240", "6本単位\n色は透明のみ"),
)
ORDERS = (
    ("order", "date", "customer", "item", "quantity", "amount_jpy"),
    ("SO-4101", "2026-09-01", "北浜ホテル株式会社", "BX-060", "1200", "57600"),
    ("SO-4102", "2026-09-02", "Harbour Foods Ltd", "CU-100", "40", "75200"),
    ("SO-4103", "2026-09-04", "青葉製菓", "LB-A4", "25", "24500"),
    ("SO-4104", "2026-09-08", "Harbour Foods Ltd", "BX-100", "600", "55200"),
    ("SO-4105", "2026-09-09", "みなみ書店", "CU-030", "80", "49600"),
    ("SO-4106", "2026-09-11", "北浜ホテル株式会社", "TP-050", "240", "32400"),
)


def report() -> bytes:
    """Three native pages: a heading with a table, two columns of text, and English prose."""
    from reportlab.platypus import FrameBreak, NextPageTemplate, PageBreak

    story = [
        _heading("2026年度 第2四半期 決算報告書"),
        _text("株式会社みなと商事  2026年10月30日"),
        _text(REPORT_SUMMARY),
        _grid(REPORT_TABLE),
        NextPageTemplate("columns"),
        PageBreak(),
    ]
    for number, (title, body) in enumerate(REPORT_COLUMNS, start=1):
        story += [_heading(title, 13), _text(body)]
        if number == len(REPORT_COLUMNS) // 2:
            story.append(FrameBreak())
    story += [NextPageTemplate("plain"), PageBreak(), _heading("Summary in English")]
    story += [_text(paragraph, cjk=False) for paragraph in REPORT_ENGLISH.strip().split("\n\n")]
    return _pdf(story, "2026年度 第2四半期 決算報告書")


def invoice() -> bytes:
    """A native invoice, and behind it the delivery note as a scanner delivers it: one picture, no text layer."""
    from reportlab.lib.units import inch
    from reportlab.platypus import Image, NextPageTemplate, PageBreak

    scan = delivery_note_scan()
    picture = Image(_png(scan), width=scan.width / SCAN_DPI * inch, height=scan.height / SCAN_DPI * inch)
    story = [
        _heading("請求書 INVOICE"),
        _text("請求番号 INV-2026-0417  発行日 2026年9月30日  支払期限 2026年10月31日"),
        _text("北浜ホテル株式会社 御中"),
        _text("株式会社みなと商事 登録番号 T0000000000000 〒231-0000 神奈川県横浜市中区みなと町1-2-3"),
        _grid(INVOICE_LINES),
        _text("Please pay within 31 days. 振込手数料は貴社にてご負担ください。"),
        NextPageTemplate("bleed"),
        PageBreak(),
        picture,
    ]
    return _pdf(story, "請求書 INV-2026-0417")


def delivery_note_scan() -> "Image":
    """The delivery note as a grey picture of an A4 page at ``SCAN_DPI``, a little crooked as scans are."""
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("L", (1654, 2339), 250)
    draw = ImageDraw.Draw(page)
    top = 240
    for size, line in DELIVERY_NOTE:
        draw.text((200, top), line, fill=35, font=ImageFont.truetype(str(FONT_FILE), size))
        top += round(size * 2.4)
    draw.rectangle((1180, top - 40, 1380, top + 160), outline=90, width=5)
    return page.rotate(0.4, resample=Image.Resampling.BICUBIC, fillcolor=250).quantize(16).convert("L")


def protected() -> bytes:
    """One page that opens with the password ``himitsu`` only: indx refuses it and says so."""
    from reportlab.lib.pdfencrypt import StandardEncryption

    # 128 bits of RC4: the only strength whose bytes do not depend on random numbers. It shows a refusal, no secret.
    lock = StandardEncryption("himitsu", ownerPassword="himitsu-owner", strength=128)
    return _pdf(
        [_heading("役員会資料(社外秘)"), _text("この文書はパスワードで保護されています。")], "役員会資料", encrypt=lock
    )


def minutes() -> bytes:
    """UTF-8 text of three pages with a form feed between them."""
    return "\f".join(MINUTES).encode()


def price_list() -> bytes:
    """A CSV as a Japanese spreadsheet saves it: CP932, CRLF, quotes where a cell needs them."""
    return _table(PRICE_LIST, ",", "\r\n").encode("cp932")


def orders() -> bytes:
    """A TSV in UTF-8, customers in both languages."""
    return _table(ORDERS, "\t", "\n").encode()


CORPUS: dict[str, Callable[[], bytes]] = {
    "quarterly-report.pdf": report,
    "invoice-with-scan.pdf": invoice,
    "board-papers-protected.pdf": protected,
    "meeting-minutes.txt": minutes,
    "price-list-cp932.csv": price_list,
    "orders.tsv": orders,
    "総務部/出張旅費規程 2026.txt": TRAVEL_RULES.encode,
}
"""Path below the corpus's root, and what makes the file."""


def main(folder: Path) -> None:
    """Write the corpus."""
    for path, make in CORPUS.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(make())
        print(f"{target.stat().st_size:>8} {path}")


def _pdf(story: list[Any], title: str, encrypt: Any = None) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    width, height = A4
    inner, tall = width - 2 * MARGIN_POINTS, height - 2 * MARGIN_POINTS
    column = (inner - 18) / 2
    templates = [
        PageTemplate("plain", [Frame(MARGIN_POINTS, MARGIN_POINTS, inner, tall)]),
        PageTemplate(
            "columns", [Frame(MARGIN_POINTS + side * (column + 18), MARGIN_POINTS, column, tall) for side in (0, 1)]
        ),
        PageTemplate("bleed", [Frame(0, 0, width + 1, height + 1, 0, 0, 0, 0)]),
    ]
    target = io.BytesIO()
    document = BaseDocTemplate(
        target, pagesize=A4, pageTemplates=templates, title=title, author="株式会社みなと商事", lang="ja",
        invariant=1, encrypt=encrypt,
    )  # fmt: skip
    document.build(story)
    return target.getvalue()


def _heading(text: str, size: int = 18) -> Any:
    return _paragraph(text, size, cjk=True)


def _text(text: str, *, cjk: bool = True) -> Any:
    return _paragraph(text, 10.5, cjk=cjk)


def _paragraph(text: str, size: float, *, cjk: bool) -> Any:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle(
        "body",
        fontName=_font(),
        fontSize=size,
        leading=size * 1.6,
        spaceAfter=size * 0.8,
        wordWrap="CJK" if cjk else None,
    )
    return Paragraph(text, style)


def _grid(rows: tuple[tuple[str, ...], ...]) -> Any:
    from reportlab.lib import colors
    from reportlab.platypus import Table

    table = Table(rows, hAlign="LEFT", spaceBefore=8, spaceAfter=12)
    table.setStyle(
        [
            ("FONT", (0, 0), (-1, -1), _font(), 10),
            ("ALIGN", (1, 1), (-1, -1), "RIGHT"),
            ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ]
    )
    return table


@cache
def _font() -> str:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    pdfmetrics.registerFont(TTFont(FONT, FONT_FILE))
    return FONT


def _png(picture: "Image") -> io.BytesIO:
    target = io.BytesIO()
    picture.save(target, "PNG")
    target.seek(0)
    return target


def _table(rows: tuple[tuple[str, ...], ...], delimiter: str, line_end: str) -> str:
    target = io.StringIO(newline="")
    csv.writer(target, delimiter=delimiter, lineterminator=line_end).writerows(rows)
    return target.getvalue()


if __name__ == "__main__":
    if not FONT_FILE.is_file():
        sys.exit(f"{FONT_FILE} is missing: install the Debian package fonts-ipaexfont-gothic")
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "corpus")
