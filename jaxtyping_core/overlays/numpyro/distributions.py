"""NumPyro's distributions: what a draw gives, what inference makes of it, and what is observed of one."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ...domain.arrays import TOP, AbstractArray
from ...engine.libraries.calls.sizes import resized, symbols_in
from ...engine.values import arrays
from ...engine.values.unknowns import UNKNOWN, ConcretizationError, is_dim
from ...sampling.tables.sizes import CONSTRAINED_SHAPE

if TYPE_CHECKING:
    from ...engine.interpreter import Interpreter


def drawn(interpreter: Interpreter, distribution: Any, sample_shape: tuple[int, ...]) -> Any:
    """A draw from a distribution; its dtype is asked for on its own where JAX cannot do with sizes that are symbols."""
    try:
        return distribution(rng_key=jax.random.key(0), sample_shape=sample_shape)
    except ConcretizationError:
        return UNKNOWN
    except Exception:  # real code may raise anything: symbols for sizes are not taken everywhere
        dims = (*sample_shape, *distribution.shape())
        return arrays.array(_dtype(distribution), False, dims) if any(map(is_dim, dims)) else UNKNOWN


def _dtype(distribution: Any) -> str | None:
    """The dtype of draws from a distribution whose parameters have sizes that are symbols."""
    while hasattr(distribution, "base_dist"):
        distribution = distribution.base_dist
    parameters = {
        name: value
        for name in type(distribution).arg_constraints
        if (value := vars(distribution).get(name)) is not None
    }
    try:
        sizes = dict.fromkeys(symbols_in(parameters), 2)
        drawn = type(distribution)(**resized(parameters, sizes))(rng_key=jax.random.key(0))
    except Exception:  # code of distributions may raise anything: then the dtype is not known
        return None
    return (arrays.known_of(drawn) or TOP).dtype


def weak(value: Any) -> Any:
    """An array like `value` that may be weakly typed."""
    return arrays.of_known(replace(arrays.known_of(value) or TOP, weak=None))


def constrained(distribution: Any, value: Any) -> Any:
    """A value as inference gives it: it comes from an unconstrained one, of the default dtype."""
    biject_to = importlib.import_module("numpyro.distributions.transforms").biject_to

    known = arrays.known_of(value) or TOP
    try:
        support = distribution.support
        while hasattr(support, "base_constraint"):
            support = support.base_constraint
        transform = biject_to(support)
        other = arrays.known_of(transform(jnp.zeros(transform.inverse_shape(CONSTRAINED_SHAPE))))
        sure = other is None or other.dtype == known.dtype
    except Exception:  # code of distributions may raise anything: then the dtype is that of a draw
        sure = True
    return arrays.of_known(known.with_dtype(known.dtype if sure else None, None if known.weak else False))


def is_discrete(distribution: Any) -> bool:
    """Whether inference enumerates a distribution's values, or that is not known."""
    try:
        return bool(distribution.support.is_discrete)
    except Exception:  # code of distributions may raise anything: then nothing is claimed
        return True


def compared(
    name: Any, fn: Any = None, obs: Any = None, *_: Any, **__: Any
) -> tuple[AbstractArray, AbstractArray] | None:
    """What a log probability is computed of: the distributions of a site, and what is observed of each."""
    observed, batch = arrays.known_of(obs), getattr(fn, "batch_shape", None)
    if observed is None or type(batch) is not tuple or getattr(fn, "event_shape", None) != ():
        return None
    return replace(observed, shape=batch), observed
