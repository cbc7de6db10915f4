"""file: SciPy writes for other programs."""

import numpy as np
import scipy.io

scipy.io.savemat("pwned_scipy_save.mat", {"x": np.ones(3)})
