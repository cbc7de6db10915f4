"""secret: linecache, tokenize and fileinput read lines of files that are no programs."""

import fileinput
import linecache
import tokenize

import jax.numpy as jnp

line = linecache.getline("SECRET_FILE", 1)
x = jnp.zeros(len(line.strip()))
y = next(fileinput.input(["SECRET_FILE"]))
z = tokenize.open("SECRET_FILE").readline()
