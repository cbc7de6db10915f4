"""file: an attribute of an array that is a method that writes, got by the names of a record."""

import operator

import numpy as np

write = operator.methodcaller("tofile", "pwned_of_bytes_of_array")
write(np.ones(3))
[*map(np.ndarray.tofile, [np.ones(2)], ["pwned_of_bytes_of_array_map"])]
