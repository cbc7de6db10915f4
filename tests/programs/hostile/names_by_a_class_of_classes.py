"""file: names of fields are code, in a class that its class is called for."""

import dataclasses

import equinox as eqx

NAME = "x=open('pwned_names_by_a_class', 'w'), *y"
kind = type(eqx.Module)
contents = {"__annotations__": {NAME: int}, NAME: dataclasses.field(init=False, repr=False, compare=False)}
Model = kind("Model", (eqx.Module,), contents)
