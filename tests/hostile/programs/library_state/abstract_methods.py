"""state: abc and dataclasses change a class of a library."""

import abc
import dataclasses

import equinox as eqx

abc.update_abstractmethods(eqx.nn.Linear)
made = dataclasses.dataclass(eqx.Module, order=True, eq=True)
eqx.Module.pwned = 1
