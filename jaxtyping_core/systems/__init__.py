"""The promotion systems, by name."""

from __future__ import annotations

import functools

from jaxtyping_core.errors import UnknownNameError, unknown
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.systems import jax, others
from jaxtyping_core.systems.system import RANK_0 as RANK_0
from jaxtyping_core.systems.system import System as System

SYSTEMS: dict[str, System] = {system.name: system for system in (*jax.SYSTEMS, *others.SYSTEMS)}


def get(system: str | Lattice) -> System:
    """The promotion system of the name `system`, or the one that your own lattice defines.

    Raises:
        UnknownNameError: the name is unknown, or `system` is neither a name nor a lattice.
    """
    if not isinstance(system, str | Lattice):
        raise UnknownNameError(
            f"{system!r} is not a promotion system: expected a name such as 'numpy', or a Lattice"
        )
    return _known(system)


@functools.cache
def _known(system: str | Lattice) -> System:
    if isinstance(system, Lattice):
        return System(system.name, "", {False: system, True: system}, follows_x64=True)
    if system not in SYSTEMS:
        raise UnknownNameError(unknown("promotion system", str(system), SYSTEMS))
    return SYSTEMS[system]
