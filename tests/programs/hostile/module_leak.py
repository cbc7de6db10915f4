"""file: public modules of libraries have the modules that they import among their names."""

import equinox
import flax.training.checkpoints
import jax.version
import numpy as np

x = jax.version.os.system("touch pwned_module_leak_version")
z = flax.training.checkpoints.os.system("touch pwned_module_leak_checkpoints")
w = flax.io.shutil.copy("/dev/null", "pwned_module_leak_shutil")
v = equinox.importlib.import_module("os").system("touch pwned_module_leak_equinox")
u = np.matrixlib.defmatrix.sys.modules["os"].system("touch pwned_module_leak_numpy")
