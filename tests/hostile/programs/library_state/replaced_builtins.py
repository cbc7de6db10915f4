"""state: builtins are replaced, by all ways to them."""

import builtins

builtins.pwned = 1
builtins.sorted = lambda *a, **k: []
setattr(builtins, "zip", None)
__builtins__.divmod = None
