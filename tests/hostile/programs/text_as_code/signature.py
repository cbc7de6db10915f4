"""file: inspect evaluates the annotations of a signature, typing_extensions those of a class."""

import inspect

import typing_extensions


def f(x: "__import__('os').mkdir('pwned_signature')") -> "int":
    return 1


def g(x: "__import__('os').mkdir('pwned_signature_again')") -> "int":
    return 1


y = typing_extensions.get_annotations(g, eval_str=True)
x = inspect.signature(f, eval_str=True)
