"""file: numpy.save and its kin."""

import numpy as np

np.save("pwned_numpy_save", np.ones(3))
np.savez("pwned_numpy_save_z", x=np.ones(3))
np.savetxt("pwned_numpy_save_text", np.ones(3))
