"""file: an f-string calls __format__, __repr__ and __str__."""


class Value:
    def __format__(self, spec):
        open("pwned_format_method", "w").close()
        return "x"

    def __repr__(self):
        open("pwned_format_method_repr", "w").close()
        return "x"

    def __str__(self):
        open("pwned_format_method_str", "w").close()
        return "x"


value = Value()
x = f"{value:>10} {value!r} {value!s}"
y = "%s %r" % (value, value)
