"""One process's view of what is installed: registry, snapshot, prices. Taken once, shared by all of its operations.

Settings are read when it is taken; a worker process takes its own from the settings it was started with.
"""

from dataclasses import dataclass
from typing import Self

from indx_core.contracts.capability import CapabilitySnapshot, Limits
from indx_core.contracts.plan import Constraints
from indx_core.execution.budget import Budget
from indx_core.kit.intake import resolvable
from indx_core.kit.intake.settings import IntakeSettings
from indx_core.kit.registry import Registry, discover
from indx_core.planning.economics import Economics, load_economics
from indx_core.planning.snapshot import take


@dataclass(frozen=True, slots=True)
class Installation:
    """What is installed, as it is and as it is advertised.

    Attributes:
        registry: The components themselves.
        snapshot: Their public description, which plans are bound to.
        economics: The operator's prices.
    """

    registry: Registry
    snapshot: CapabilitySnapshot
    economics: Economics

    @classmethod
    def current(cls) -> Self:
        """Take the inventory now. Loads no model and opens no network.

        Raises:
            SettingsInvalid: A variable, or the economics file, does not validate.
            DuplicateComponent: Two providers declare the same id.
        """
        return cls.of(discover())

    @classmethod
    def of(cls, registry: Registry) -> Self:
        """The same for a registry assembled by hand."""
        limits = Limits(max_input_bytes=IntakeSettings.load().max_input_bytes)
        snapshot = take(registry, limits=limits, resolvable=resolvable(registry))
        return cls(registry, snapshot, load_economics())

    def budget(self, constraints: Constraints) -> Budget:
        """A plan's limits with the prices in force, as execution holds them.

        Of embedders and annotators only what the operator's file names has a price.
        """
        prices = {name: price for name, each in self.economics.overrides.items() if (price := each.charge) is not None}
        prices |= {each.id: self.economics.of(each).cost_usd_per_page for each in self.snapshot.capabilities}
        return Budget.of(constraints, prices)
