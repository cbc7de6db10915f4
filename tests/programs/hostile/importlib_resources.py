"""file: a path by way of a package's resources."""

import importlib.resources
import os

path = importlib.resources.files("email").joinpath(os.getcwd(), "pwned_importlib_resources")
x = path.write_text("x")
