"""file: flax.io works on files."""

from flax import io

io.makedirs("pwned_flax_io")
with io.GFile("pwned_flax_io_file", "w") as file:
    file.write("x")
