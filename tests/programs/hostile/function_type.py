"""file: a function is made of another's code."""

import types

code = (lambda: open("pwned_function_type", "w")).__code__
x = types.FunctionType(code, {"open": open})()
y = type(lambda: 0)(code.replace(co_consts=(None, "pwned_function_type_replaced", "w")), {"__builtins__": __builtins__})()
