"""file: Python's own functions call what they are given."""

import collections
import functools
import itertools

x = list(map(open, ["pwned_map_open_map"], ["w"]))
touch = lambda name: open(name, "w")
y = sorted(["pwned_map_open_sorted", "pwned_map_open_other"], key=lambda name: touch(name).name)
z = max(["pwned_map_open_max"], ["pwned_map_open_max"], key=lambda names: [touch(n) for n in names].__len__())
w = list(itertools.starmap(open, [("pwned_map_open_starmap", "w")]))
v = collections.defaultdict(functools.partial(open, "pwned_map_open_default", "w"))["missing"]
u = next(iter(functools.partial(open, "pwned_map_open_iter", "w"), None))
t = list(filter(functools.partial(open, mode="w"), ["pwned_map_open_filter"]))
