"""file: numpy.testing runs the text that it is to measure."""

import numpy as np
import numpy.testing as npt

npt.measure("open('pwned_numpy_testing', 'w').close()")
npt.runstring("open('pwned_numpy_testing_run', 'w').close()", {})
x = np.testing.measure("import os; os.mkdir('pwned_numpy_testing_np')")
