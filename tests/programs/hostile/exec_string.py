"""file: exec, eval and compile."""

exec("open('pwned_exec_string_exec', 'w')")
x = eval("open('pwned_exec_string', 'w')")
y = eval(compile("open('pwned_exec_string_compile', 'w')", "x", "eval"))
