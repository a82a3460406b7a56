"""The words that the rules of names turn on: legal forms, heads, titles, and what no name holds. Lists only.

Measured on ``benchmarks/cases/entities``; a word is added for a case that needs it, and the precision watched.
"""

import re


def _list(written: str) -> frozenset[str]:
    return frozenset(written.split())


_COMPANY = (
    "株式会社|有限会社|合同会社|合資会社|合名会社|相互会社|㈱|㈲|[(（][株有同][)）]"
    "|(?:有限責任)?監査法人|税理士法人|弁護士法人"
)
_BODY = (
    "(?:一般|公益)?[社財]団法人|特定非営利活動法人|NPO法人|ＮＰＯ法人|(?:地方)?独立行政法人|国立研究開発法人"
    "|国立大学法人|公立大学法人|大学共同利用機関法人|学校法人|医療法人(?:社団|財団)?|社会福祉法人|宗教法人"
)
_LONG_HEAD = "取引所|委員会|審議会|協議会|連合会|商工会(?:議所)?|事業団|労働組合|協同組合|信用金庫|信用組合"
_NAME = (
    "総務省|国土交通省|厚生労働省|経済産業省|文部科学省|環境省|防衛省|内閣府|内閣官房|デジタル庁|こども家庭庁|復興庁|観光庁"
    "|消費者庁|スポーツ庁|出入国在留管理庁|最高裁判所|国際連合|世界保健機関|世界貿易機関|国際通貨基金|欧州連合"
)
COMPOUNDS = re.compile(f"(?P<company>{_COMPANY})|(?P<body>{_BODY})|(?P<head>{_LONG_HEAD})|(?P<name>{_NAME})")
"""Legal forms of companies stand before or behind a name, those of other bodies before it, heads behind it. The
dictionary cuts most of them into several nouns, and is older than Japan's ministries of 2001."""

HEADS = _list(
    """
    銀行 金庫 証券 保険 生命 大学 大学院 高校 学校 学園 学院 病院 医院 クリニック 市役所 区役所 役場 県庁 都庁 府庁 道庁
    警察 警察署 消防署 税務署 裁判所 検察庁 法務局 財務局 労働局 図書館 博物館 美術館 製作所 工業 商事 商店 商会
    印刷 建設 電機 電器 電力 製薬 化学 製鉄 自動車 鉄道 航空 新聞 新聞社 放送 出版 出版社 書店 書房 百貨店
    ホールディングス グループ コーポレーション 政府 議会 党 組 組合 社
    """
)
"""Make an organisation of the name before them. A longer noun that ends in one of two or more characters is one too."""
HEADS_OF_COMMON_NOUNS = _list(
    """
    委員会 審議会 協議会 協会 連盟 連合会 機構 学会 財団 公社 公団 事業団 会議所 取引所 研究所 商工会
    """
)
"""Make one of two common nouns as well: 情報処理推進機構."""
MINISTRIES = _list("省 庁")
"""Make one of any noun: 経済産業省."""
TITLES = _list(
    """
    代表 代表取締役 取締役 社長 会長 副社長 専務 常務 監査役 執行 執行役 執行役員 役員 部長 課長 係長 次長 主任 担当
    理事 理事長 支店長 所長 室長 局長 議長 院長 学長 総裁 大統領 首相 大臣 知事 市長 教授 准教授 博士 弁護士 税理士
    会計士 先生 選手 監督 御中 本社 本店 支店 支社 営業 営業所 事業所 事業部 総務 経理 人事 資材 工場
    """
)
"""Functions and parts of an organisation: they end its name."""
NOT_IN_A_NAME = _list(
    """
    取引 取引先 先 当社 弊社 御社 貴社 自社 同社 両社 発注 受注 発注者 受注者 委託 子会社 親会社 関連会社 請求 支払
    宛先 宛 名称 商号 社名 会社名 住所 氏名 主要 以下 上記 下記 前記 甲 乙 丙 および 及び
    """
)
HONORIFICS = _list("様 さま 氏 さん 殿 君 ちゃん")
JOINERS = _list("・ ･ & ＆ - － ー . ．")
PLACE_MAKERS = _list("都 道 府 県 省 市 区 町 村 郡 駅 島 山 川 港 城 半島 空港 諸島")
"""Make a place of the name before them, whatever the dictionary tags it as."""
