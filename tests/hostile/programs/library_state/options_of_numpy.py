"""state: errors of NumPy, and how arrays are printed."""

import numpy as np

np.seterr(all="raise")
np.set_printoptions(formatter={"all": lambda x: "pwned"})
np.sctypeDict["pwned"] = int
np.pwned = 1
