"""file: __class_getitem__ writes when a class is indexed, in an annotation as well."""


class Shaped:
    def __class_getitem__(cls, item):
        open("pwned_class_getitem", "w").close()
        return cls


def f(x: Shaped[3]):
    return x


y = Shaped[int]
