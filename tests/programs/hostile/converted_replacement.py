"""file: `open`, which an enumeration hands out, replaces a leaf of a tree."""

import functools

import equinox as eqx

import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "io", lambda name: name == "open")["open"].value
PATH = "pwned_converted_replacement"

x = eqx.tree_at(lambda tree: tree[0], [PATH], replace_fn=functools.partial(run, mode="w"))
