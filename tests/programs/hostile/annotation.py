"""file: annotations of parameters, returns, variables and fields write."""

from dataclasses import dataclass


def touch(name):
    open(name, "w").close()
    return int


def f(x: touch("pwned_annotation")) -> touch("pwned_annotation_return"):
    return x


y: touch("pwned_annotation_variable") = 3


@dataclass
class Config:
    size: touch("pwned_annotation_field") = 3


x = f(Config())
