"""Chaos: what native engines do to the process they run in, on demand."""

from indx_core.kit.registry import Contribution
from indx_plugin_chaos.chaos import ChaosChunker, ChaosObserver, ChaosReader

CONTRIBUTION = Contribution(observers=(ChaosObserver(),), readers=(ChaosReader(),), chunkers=(ChaosChunker(),))
