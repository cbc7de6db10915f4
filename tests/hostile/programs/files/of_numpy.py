"""file: NumPy saves, dumps and maps."""

import numpy as np

np.save("pwned_of_numpy", np.ones(3))
np.savez("pwned_of_numpy_several", a=np.ones(3))
np.savetxt("pwned_of_numpy_text", np.ones(3))
np.ones(3).tofile("pwned_of_numpy_file")
np.ones(3).dump("pwned_of_numpy_dump")
x = np.memmap("pwned_of_numpy_map", mode="w+", shape=(3,))
np.lib.format.open_memmap("pwned_of_numpy_format", "w+", shape=(3,))
