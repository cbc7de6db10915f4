"""file: matching patterns reads __match_args__, attributes, and asks a metaclass."""


class Meta(type):
    def __instancecheck__(cls, instance):
        open("pwned_match_hooks", "w").close()
        return True


class Point(metaclass=Meta):
    __match_args__ = ("x",)


class Value:
    @property
    def x(self):
        open("pwned_match_hooks_x", "w").close()
        return 1


match Value():
    case Point(x):
        y = x
