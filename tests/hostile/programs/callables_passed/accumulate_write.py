"""file: accumulate calls a method of an open file."""

import itertools
import os

x = [*itertools.accumulate(["pwned_accumulate_write", 0o700], os.mkdir)]
y = [*itertools.filterfalse(os.mkdir, ["pwned_accumulate_write_false"])]
z = [(k, list(g)) for k, g in itertools.groupby(["pwned_accumulate_write_group"], os.mkdir)]
