"""crash: recursion that nothing ends, with Python's guard put away."""

import sys

sys.setrecursionlimit(10**8)


def f(x):
    return f(x + 1) + 1


class Node:
    @property
    def parent(self):
        return Node().parent

    def __repr__(self):
        return f"{self!r}"


x = f(0)
y = Node().parent
z = repr(Node())
