"""connection: the functions of NumPyro's examples fetch their data from where the program says."""

import importlib.util

datasets = importlib.util.find_spec("numpyro.examples.datasets")
import numpyro.examples.datasets as data

made = data.dset("pwned", ["http://127.0.0.1:49151/x"])
data.urlretrieve("http://127.0.0.1:49151/x", "pwned_data")
