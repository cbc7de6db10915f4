"""connection: NumPyro's examples fetch their data from where a list says, which the program changes."""

import numpyro.examples.datasets as data

data.BASEBALL.urls[:] = ["http://127.0.0.1:49151/x"]
x = data.load_dataset(data.BASEBALL)
