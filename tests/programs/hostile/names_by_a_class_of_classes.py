"""file: names of fields are code, in a class that its class is called for."""

import equinox as eqx

kind = type(eqx.Module)
Model = kind("Model", (eqx.Module,), {"__annotations__": {"x:open('pwned_names_by_a_class', 'w'), *y": int}})
