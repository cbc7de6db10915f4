"""file: names of fields are code, in the body of a module of Equinox."""

import equinox as eqx


class Model(eqx.Module):
    __annotations__ = {"x:open('pwned_names_in_a_body', 'w'), *y": int}


model = Model(1)
