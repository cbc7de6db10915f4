"""file: Flax writes by its own functions of files, and orbax a checkpoint."""

import flax.io

flax.io.makedirs("pwned_of_flax")
with flax.io.GFile("pwned_of_flax_file", "w") as file:
    file.write("x")
