"""file: default arguments are evaluated, and they write."""


def f(x=open("pwned_default_argument", "w"), *, y=open("pwned_default_argument_keyword", "w")):
    return x


g = lambda x=open("pwned_default_argument_lambda", "w"): x
