"""file: exec, eval and compile, each under another name."""

run, value, made = exec, eval, compile
run("open('pwned_plain_exec', 'a').close()")
x = value("open('pwned_plain_exec_eval', 'x').close()")
run(made("import os; os.mkdir('pwned_plain_exec_compile')", "f", "exec"))
