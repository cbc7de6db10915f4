"""file: the frame in which einops compiles a layer is left to a text that beartype compiles."""

import beartype._util.func.utilfuncmake as made

f = made.make_func(func_name="f", func_code="import os\nos.mkdir('pwned_einmix_pattern')\ndef f():\n    pass\n")
