"""crash: an expression nested more deeply than the stack, evaluated by Python from a string."""

import ast
import sys

sys.setrecursionlimit(10**8)
text = "-" * 10**6 + "1"
node = ast.Constant(1)
for _ in range(10**6):
    node = ast.UnaryOp(ast.USub(), node)
x = ast.dump(node)
y = ast.literal_eval(text)
