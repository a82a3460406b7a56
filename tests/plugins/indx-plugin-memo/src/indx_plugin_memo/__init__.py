"""Memos: a URI scheme, an observer and a reader that indx itself knows nothing of."""

from indx_core.kit.registry import Contribution
from indx_plugin_memo.memo import MemoLoader, MemoObserver, MemoReader

CONTRIBUTION = Contribution(loaders=(MemoLoader(),), observers=(MemoObserver(),), readers=(MemoReader(),))
