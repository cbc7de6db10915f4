"""file: methods of arrays write."""

import numpy as np

x = np.ones(3)
x.tofile("pwned_array_tofile")
x.dump("pwned_array_tofile_dump")
