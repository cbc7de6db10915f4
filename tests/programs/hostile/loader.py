"""file: a module's loader and spec can execute."""

import jax

x = jax.__loader__.path
exec_module = jax.__spec__.loader.__class__
y = exec_module.get_data.__globals__["_os"].mkdir("pwned_loader")
