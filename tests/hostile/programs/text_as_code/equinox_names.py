"""file: those of an Equinox module, through its metaclass."""

import equinox as eqx

NAME = "x=__import__('os').mkdir('pwned_equinox_names'),*y"


class Layer(eqx.Module):
    __annotations__ = {NAME: int}
    vars()[NAME] = eqx.field(init=False)
