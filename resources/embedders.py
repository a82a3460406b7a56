"""The embedding spaces and the models behind them."""

from resources.base import mirror
from resources.ports import settings_of

EmbeddersResource = mirror(
    "EmbeddersResource", "The embedding spaces and the models behind them.", settings_of("embedders")
)
