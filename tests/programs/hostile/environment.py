"""state: variables of the environment that JAX and others read are set, and the folder is left."""

import os

os.environ["JAX_PLATFORMS"] = "no such platform"
os.environ["XLA_FLAGS"] = "--no_such_flag"
os.chdir("/")
os.umask(0o777)
