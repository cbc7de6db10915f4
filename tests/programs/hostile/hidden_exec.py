"""file: exec by way of other names."""

import builtins

hidden = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
hidden["ex" + "ec"]("open('pwned_hidden_exec', 'w')")
getattr(builtins, "ev" + "al")("open('pwned_hidden_exec_eval', 'w')")
x = globals()["__builtins__"]
y = print.__self__.open("pwned_hidden_exec_self", "w")
z = vars(builtins)["open"]("pwned_hidden_exec_vars", "w")
