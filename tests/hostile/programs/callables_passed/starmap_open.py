"""file: itertools calls open for real."""

import itertools

x = [*itertools.starmap(open, [("pwned_starmap_open", "w")])]
y = [*itertools.takewhile(lambda f: f, map(open, ["pwned_starmap_open_map"], ["w"]))]
