"""Evaluates the text of a program over abstract arrays, without ever importing or running the program.

`session` is what the child calls; it makes a `interpreter.Interpreter`, which walks the syntax trees (`statements`,
`expressions`) and calls real JAX where the program does (`calls`, `libraries`). `unknowns` are the values that stand for
what is not known, `joins` and `states` what two ways through the program have in common, `loops` the fixpoints. `heap` has
what branches change, which they note before; `real_code` notes what calls of libraries may change. `facts` is what was
seen at each place.
"""
